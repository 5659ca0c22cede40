import { type Html, html, emptyHtml } from "../web/html.ts";
import { formatCount } from "../web/parts/amount.ts";
import { faultAttributes, faultText, fieldBox, hiddenFields } from "../web/parts/fields.ts";
import { momentAtProperty, serverZone } from "../web/parts/moment.ts";
import type { GridContext } from "./context.ts";
import { dayText } from "./day.ts";
import { daysAgo, gridFields, gridLink } from "./links.ts";

/** `count` is the number of nights that differ, or undefined if there is no data to compare with. */
export type ShownComparison = { other: GridContext; count: number | undefined };

export function compareBanner(context: GridContext, comparison: ShownComparison | undefined): Html {
  if (comparison === undefined) return emptyHtml;
  const { other, count } = comparison;
  return html`<p class="notice" role="status">
    Compared with ${otherText(context, other)}: <b>${countText(count)}</b>.
    <a href="${gridLink(context, { compare: "" })}">Stop comparing</a>
  </p>`;
}

function countText(count: number | undefined): string {
  if (count === undefined) return "no data to compare with; past nights are deleted after a while";
  return count === 0 ? "no differences" : `${formatCount(count, "night")} differ${count === 1 ? "s" : ""}`;
}

function otherText({ query: { compare }, property }: GridContext, { query, days }: GridContext): Html {
  if (compare === "year") return html`the same weekdays last year, from ${dayText(days[0]!)}`;
  if (compare !== undefined && "at" in compare) return html`the data as of ${momentAtProperty(query.asOf, property.timeZone)}`;
  return html`the nights from ${dayText(days[0]!)}`;
}

/** Returns the form as a popover, which works without scripts. If a field is invalid, the form is part of the page instead. */
export function comparePopover(context: GridContext): Html {
  const { compare: fault } = context.query.faults;
  const at = (days: number) => gridLink(context, { compare: new Date(daysAgo(context, days)).toISOString().replace(/:00\.000Z$/, "Z") });
  return html`<section class="compare" id="compare" ${fault === undefined ? html`popover` : emptyHtml} aria-labelledby="compare-title">
    <h2 id="compare-title">Compare with</h2>
    <ul class="links">
      <li><a href="${at(1)}">A day ago</a></li>
      <li><a href="${at(7)}">A week ago</a></li>
      <li><a href="${gridLink(context, { compare: "year" })}">Same weekdays last year</a></li>
    </ul>
    ${compareForm(context, { id: "compare", label: `Data as of (${serverZone})`, type: "datetime-local" })}
    ${compareForm(context, { id: "compare-from", label: "Nights starting on", type: "date" })}
  </section>`;
}

type CompareField = { id: string; label: string; type: "datetime-local" | "date" };

/** Shows an invalid value in the first form. Its input then has type text, because date inputs can't show invalid values. */
function compareForm(context: GridContext, { id, label, type }: CompareField): Html {
  const { typed, faults } = context.query;
  const fault = type === "date" ? undefined : faults.compare;
  const input = fault === undefined ? html`type="${type}" required` : html`type="text" value="${typed.compare ?? ""}"`;
  return html`<form method="get" action="${context.base}">
    ${hiddenFields({ ...gridFields(context), compare: "" })}
    ${fieldBox(
      fault,
      html`<label for="f-${id}">${label}</label> ${faultText("compare", fault)}
        <input id="f-${id}" name="compare" ${input} ${faultAttributes("compare", fault)} />`,
    )}
    <button type="submit">Compare</button>
  </form>`;
}
