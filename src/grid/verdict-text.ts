import { isRemoval, type VerdictReason, reasonText, type Verdict } from "../calendar/verdict.ts";
import { mapHtml, type Html, html, emptyHtml } from "../web/html.ts";
import { isolateDirections } from "../web/parts/isolate.ts";
import { momentAtProperty } from "../web/parts/moment.ts";
import { path } from "../web/path.ts";
import type { NightRow } from "./query.ts";

/** Time and sender of a message. Both are undefined if its log entry was deleted. */
type ValueSource = { at: number | undefined; sender: string | undefined };

/** A verdict's row, and the sources of the messages in its reasons. */
type VerdictContext = { row: NightRow; timeZone: string; sources: ReadonlyMap<number, ValueSource> };

/** Describes whether a night can be sold. If not, lists every reason with the message that caused it. */
export function verdictText({ state, reasons }: Verdict, place: VerdictContext): Html {
  if (state === "sellable") return html`<b>For sale.</b>`;
  return html`<b>Not for sale:</b>
    ${mapHtml(reasons, (reason, index) => html`${index === 0 ? "" : "; "}${reasonWithSource(reason, place)}`)}.`;
}

function reasonWithSource(reason: VerdictReason, { row, timeZone, sources }: VerdictContext): Html {
  const { message } = reason;
  const text = reasonText(reason, row);
  if (message === undefined) return html`${text}`;
  const { at, sender } = sources.get(message) ?? {};
  const since = at === undefined ? emptyHtml : html`${isRemoval(reason) ? " on" : " since"} ${momentAtProperty(at, timeZone)}`;
  const from = sender === undefined ? emptyHtml : html` from ${isolateDirections(sender)}`;
  return html`${text}${since}, <a href="${path`/dev/logs/${message}`}">message ${message}</a>${from}`;
}
