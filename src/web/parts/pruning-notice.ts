import { type Html, html, nothing } from "../html.ts";
import { counted } from "./amount.ts";

/** Warns that old data is kept longer because the clock jumped ahead; nothing if `behindDays` is 0. */
export function pruningNotice(behindDays: number): Html {
  if (behindDays === 0) return nothing;
  return html`<div class="notice warn">
    <p>
      <strong>Pruning is ${counted(behindDays, "day")} behind the clock.</strong> The service was off, or the clock of the machine is wrong.
      Old data is kept until pruning has caught up, one day for each day that the service runs. If the clock is wrong, set it.
    </p>
  </div>`;
}
