import { mapHtml, type Html, html, emptyHtml } from "../web/html.ts";
import { formatNumber, formatCount } from "../web/parts/amount.ts";
import { ifAllowed } from "../web/parts/if-allowed.ts";
import { factRow } from "../web/parts/table.ts";
import { path, withQuery } from "../web/path.ts";
import type { GridContext } from "./context.ts";
import { gridLink } from "./links.ts";
import type { SelectionSummary } from "./selection-summary.ts";

export function selectionPanel(context: GridContext, summary: SelectionSummary | undefined): Html {
  if (summary === undefined) return emptyHtml;
  const { rows, nights, first, last, prices, rooms, problems } = summary;
  const { select } = context.query.typed;
  const message = withQuery(path`/dev/channel`, { property: context.property.code, grid: context.base.text.slice(1), select });
  return html`<section class="panel chosen-nights" id="selection" aria-labelledby="selection-title">
    <h2 id="selection-title">
      ${formatCount(nights, "night")} × ${formatCount(rows, "row")} <small>${first === last ? first : `${first} to ${last}`}</small>
    </h2>
    <dl>
      ${mapHtml(prices, priceFacts)} ${factRow("Free rooms per night", rooms && roomsText(rooms))}
      ${factRow("Problems", problemsText(problems))}
    </dl>
    <p class="actions">
      <a class="button small" href="${gridLink(context, { select: select!, format: "csv" })}">CSV</a>
      ${ifAllowed(html`<a class="button small" href="${message}">Write as message</a>`)}
      <a href="${gridLink(context, {})}" data-deselect>Clear</a>
    </p>
  </section>`;
}

function priceFacts({ currency, lowest, highest, average }: SelectionSummary["prices"][number]): Html {
  return html`${factRow("Lowest price", `${lowest} ${currency}`)} ${factRow("Highest price", `${highest} ${currency}`)}
  ${factRow("Average price", `${average} ${currency}`)}`;
}

function roomsText({ fewest, most }: NonNullable<SelectionSummary["rooms"]>): string {
  return fewest === most ? formatNumber(fewest) : `${formatNumber(fewest)} to ${formatNumber(most)}`;
}

function problemsText(problems: SelectionSummary["problems"]): string {
  return problems.length === 0 ? "none" : problems.map(({ state, nights }) => `${formatCount(nights, "night")} ${state}`).join(", ");
}
