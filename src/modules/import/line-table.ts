import { changesBetween } from "../../records/audit.ts";
import { type ImportKind, keyText } from "../../records/import/kinds.ts";
import { type ImportLine, OUTCOMES } from "../../records/import/store.ts";
import { textExcerpt } from "../../text.ts";
import { mapHtml, type Html, html, emptyHtml, type Path } from "../../web/html.ts";
import { formatNumber, formatCount } from "../../web/parts/amount.ts";
import { describePair, describeValue, fieldLabel, EMPTY_VALUE_TEXT } from "../../web/parts/field-words.ts";
import { isolateDirections } from "../../web/parts/isolate.ts";
import { scrollTable } from "../../web/parts/table.ts";
import { path, withQuery } from "../../web/path.ts";
import { countShown, type ImportView, type OutcomeFilter } from "./import-view.ts";
import { OUTCOME_LABELS } from "./words.ts";

/** Renders one page of rows, with links to filter them by outcome. */
export function lineTable(view: ImportView): Html {
  const { lines, kind } = view;
  const heads = [{ number: "Row" }, kind.one.charAt(0).toUpperCase() + kind.one.slice(1), "Result", "Details"];
  return html`<section>
    <h2>Rows</h2>
    ${outcomeLinks(view)}
    ${
      lines.length === 0
        ? html`<p class="empty">No rows.</p>`
        : scrollTable(
            { label: "Rows", heads, narrow: "stacked" },
            mapHtml(lines, (line) => row(line, kind)),
          )
    }
    ${pageLinks(view)}
  </section>`;
}

function outcomeLinks(view: ImportView): Html {
  const shownOutcomes = OUTCOMES.filter((outcome) => view.counts[outcome] > 0);
  const all = shownOutcomes.reduce((sum, outcome) => sum + view.counts[outcome], 0);
  if (shownOutcomes.length < 2) return emptyHtml;
  return html`<nav class="presets" aria-label="Rows to show">
    <ul>
      ${mapHtml(shownOutcomes, (outcome) => outcomeLink(view, outcome, `${OUTCOME_LABELS[outcome]} (${formatNumber(view.counts[outcome])})`))}
      ${outcomeLink(view, "all", `All (${formatNumber(all)})`)}
    </ul>
  </nav>`;
}

function outcomeLink({ file, show }: ImportView, target: OutcomeFilter, label: string): Html {
  const to = withQuery(path`/tools/import/${file.id}`, { show: target });
  return html`<li><a href="${to}" ${show === target ? html`aria-current="true"` : emptyHtml}>${label}</a></li>`;
}

function row(line: ImportLine, kind: ImportKind): Html {
  const key = keyText(line);
  return html`<tr>
    <td class="number" data-label="Row">${formatNumber(line.line)}</td>
    <th scope="row"><code>${key === "" ? "–" : isolateDirections(textExcerpt(key, 0, 130))}</code></th>
    <td>${outcomeBadge(line)}</td>
    <td class="name">${lineDetails(line, kind)}</td>
  </tr>`;
}

const OUTCOME_BADGES = {
  new: ["badge good", "New"],
  changed: ["badge", "Changed"],
  unchanged: ["badge", "Unchanged"],
  fault: ["badge warn", "Invalid"],
} as const;

function outcomeBadge({ outcome }: ImportLine): Html {
  const [name, label] = OUTCOME_BADGES[outcome];
  return html`<span class="${name}">${label}</span>`;
}

function lineDetails({ outcome, detail }: ImportLine, kind: ImportKind): Html {
  if (detail.faults)
    return html`<ul class="plain">
      ${mapHtml(detail.faults, ({ column, value, problem }) => html`<li>${isolateDirections(column)} ${valueText(value)}: ${problem}.</li>`)}
    </ul>`;
  if (!detail.record) return emptyHtml;
  const changes = changesBetween(detail.before, detail.record, kind.fields);
  if (outcome === "changed")
    return html`<ul class="plain">
      ${mapHtml(changes, (change) => changedField(change, kind))}
    </ul>`;
  return html`<details>
    <summary>${isolateDirections(String(detail.record.name))} <span class="muted">(${formatCount(changes.length, "field")})</span></summary>
    <ul class="plain">
      ${mapHtml(changes, ({ field, to }) => html`<li>${fieldLabel(field, kind)}: ${describeValue(field, to, kind)}</li>`)}
    </ul>
  </details>`;
}

function valueText(value: string): Html {
  return value === "" ? html`(empty)` : html`“${isolateDirections(textExcerpt(value, 0, 80))}”`;
}

function changedField({ field, from, to }: { field: string; from: string; to: string }, kind: ImportKind): Html {
  const [before, after] = describePair(field, [from, to], kind);
  return html`<li>
    ${fieldLabel(field, kind)}: ${before === EMPTY_VALUE_TEXT ? EMPTY_VALUE_TEXT : html`<del>${before}</del>`} to <ins>${after}</ins>
  </li>`;
}

function pageLinks(view: ImportView): Html {
  const { page, size, show } = view;
  const total = countShown(view);
  const last = Math.max(1, Math.ceil(total / size));
  if (last === 1) return emptyHtml;
  const at = (number: number) => withQuery(path`/tools/import/${view.file.id}`, { show, page: number === 1 ? undefined : number });
  return html`<nav class="pager" aria-label="Pages">
    <p>Page ${formatNumber(page)} of ${formatNumber(last)}, ${formatCount(total, "row")}</p>
    <ul>
      ${page > 1 ? html`${pageLink(at(1), "First")}${pageLink(at(page - 1), "Previous")}` : emptyHtml}
      ${page < last ? html`${pageLink(at(page + 1), "Next")}${pageLink(at(last), "Last")}` : emptyHtml}
    </ul>
  </nav>`;
}

function pageLink(to: Path, label: string): Html {
  return html`<li><a href="${to}">${label}</a></li>`;
}
