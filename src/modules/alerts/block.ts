import { mapHtml, type Html, html, emptyHtml } from "../../web/html.ts";
import { isolateDirections } from "../../web/parts/isolate.ts";
import { relativeMoment } from "../../web/parts/moment.ts";
import { path } from "../../web/path.ts";
import type { Alert } from "./alert-store.ts";

export function isMuted({ muted_until: until }: Alert, now: number): boolean {
  return until !== null && until > now;
}

/** Shows unmuted open alerts as a block on the overview. Empty if there are none. */
export function alertsBlock(alerts: readonly Alert[], now: number): Html {
  const unmutedAlerts = alerts.filter((alert) => !isMuted(alert, now));
  if (unmutedAlerts.length === 0) return emptyHtml;
  return html`<section aria-label="Open alerts">
    <h2><a href="${path`/tools/alerts`}">Open alerts</a></h2>
    <ul>
      ${mapHtml(unmutedAlerts, (alert) => html`<li>${isolateDirections(alert.text)} <span class="muted">Opened ${relativeMoment(alert.opened_at)}</span></li>`)}
    </ul>
  </section>`;
}
