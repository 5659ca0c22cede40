import { mapHtml, type Html, html, emptyHtml } from "../html.ts";
import { formatCount } from "./amount.ts";

export function warningList(texts: readonly string[]): Html {
  return html`${mapHtml(texts, (text) => html`<p class="notice warn"><strong>Note:</strong> ${text}</p>`)}`;
}

export function pruningNotice(behindDays: number): Html {
  if (behindDays === 0) return emptyHtml;
  return html`<div class="notice warn">
    <p>
      <strong>Pruning is ${formatCount(behindDays, "day")} behind the clock.</strong> The service was stopped, or the system clock is wrong.
      Old data is kept until pruning has caught up, which takes one day of uptime per day of delay. If the clock is wrong, correct it.
    </p>
  </div>`;
}
