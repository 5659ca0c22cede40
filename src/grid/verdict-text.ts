import type { Reason, Verdict } from "../calendar/verdict.ts";
import { SALE_STATES } from "../calendar/verdict.ts";
import { each, type Html, html, nothing } from "../web/html.ts";
import { isolate } from "../web/parts/isolate.ts";
import { momentAtProperty } from "../web/parts/moment.ts";
import { path } from "../web/path.ts";

/** When a message was received and from whom; absent if its log entry was deleted. */
export type Source = { at: number | undefined; sender: string | undefined };

type Place = { category: string; plan: string; timeZone: string; sources: ReadonlyMap<number, Source> };

/** Says whether a night can be sold. If not, gives every reason with the message that set it. */
export function verdictText({ state, reasons }: Verdict, place: Place): Html {
  if (state === "sellable") return html`<b>For sale.</b>`;
  return html`<b>Not for sale:</b> ${each(reasons, (reason, index) => html`${index === 0 ? "" : "; "}${reasonText(reason, place)}`)}.`;
}

function reasonText(reason: Reason, place: Place): Html {
  const { message } = reason;
  const source = message === undefined ? nothing : html`, ${sourceText(message, place)}`;
  return html`${reasonWords(reason, place)}${source}`;
}

function reasonWords({ state, of, message }: Reason, { category, plan }: Place): string {
  const subject = of === "plan" && plan !== "" ? `rate plan ${plan}` : `category ${category}`;
  if (state === "stop sell") return `stop sell on ${subject}`;
  if (state === "sold out") return of === "plan" ? `no allotment left on ${subject}` : `no rooms left in ${subject}`;
  if (message === undefined) return SALE_STATES[state].meaning;
  if (state === "no price") return "the price was removed";
  return state === "no count" ? "the room count was removed" : SALE_STATES[state].meaning;
}

export function sourceText(message: number, { sources, timeZone }: Pick<Place, "sources" | "timeZone">): Html {
  const { at, sender } = sources.get(message) ?? {};
  return html`<a href="${path`/dev/logs/${message}`}">message #${message}</a
    >${sender === undefined ? nothing : html` from ${isolate(sender)}`}${
      at === undefined ? nothing : html`, ${momentAtProperty(at, timeZone)}`
    }`;
}
