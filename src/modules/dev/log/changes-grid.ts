import { isMoney } from "../../../calendar/attributes.ts";
import type { NightChange } from "../../../calendar/change.ts";
import type { Night } from "../../../calendar/night.ts";
import { attributeLabel, changeTexts } from "../../../grid/changes.ts";
import { toDay } from "../../../grid/day.ts";
import { nightTable } from "../../../grid/table.ts";
import { mapHtml, type Html, html, emptyHtml } from "../../../web/html.ts";
import { formatNumber, formatCount } from "../../../web/parts/amount.ts";
import { type ChangeSet, changesTable, nightLink } from "./message-parts.ts";

const MAX_SHOWN_NIGHTS = 14;
const MAX_SHOWN_ROWS = 20;
/** A message's grid doesn't highlight today or past nights. */
const NO_TODAY: Night = Number.NEGATIVE_INFINITY;

/** Changes to one attribute of a category, rate plan or room. `currency` is undefined if they have no common currency. */
type ChangeRow = { runs: readonly NightChange[]; currency: string | undefined };

/** Shows a message's changes as a grid and as a collapsed list. */
export function changesSection(set: ChangeSet): Html {
  const { nights, changes } = set;
  if (changes.length === 0) return html`<p>${nights === 0 ? "No nights changed." : "The changed nights are no longer on record."}</p>`;
  return html`<p>${formatCount(nights, "changed night")}</p>
    ${changesGrid(set)}
    <details>
      <summary>All changes as a list</summary>
      ${changesTable(set)}
    </details>`;
}

/** Shows old and new values of the first changed nights, with a row for each attribute and a column for each night. */
function changesGrid({ property, changes }: ChangeSet): Html {
  const ranges = mergeRanges(changes);
  const nights = firstNights(ranges);
  const count = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const all = groupChanges(changes);
  const rows = all.filter(({ runs }) => nights.some((night) => findRun(runs, night) !== undefined)).slice(0, MAX_SHOWN_ROWS);
  const caption = "Old and new values by night";
  const body = html`<tbody>
    ${mapHtml(rows, (row) => tableRow(row, nights, property))}
  </tbody>`;
  return html`${nightTable({ caption, days: nights.map((night) => toDay(night, NO_TODAY)), rowHead: "Changed", kind: "change-grid", body })}
  ${moreHint([
    count > nights.length && `the first ${nights.length} of ${formatNumber(count)} dates`,
    all.length > rows.length && `${rows.length} of ${formatNumber(all.length)} rows`,
  ])}`;
}

function moreHint(parts: readonly (string | false)[]): Html {
  const limits = parts.filter((part) => part !== false);
  return limits.length === 0 ? emptyHtml : html`<p class="hint">The grid shows ${limits.join(" and ")}. The list has all changes.</p>`;
}

type NightRange = { first: Night; last: Night };

/** Returns the changed nights as ranges without overlaps, earliest first. */
function mergeRanges(changes: readonly NightChange[]): NightRange[] {
  const mergedRanges: NightRange[] = [];
  for (const { first, last } of changes.toSorted((a, b) => a.first - b.first)) {
    const openRange = mergedRanges.at(-1);
    if (openRange && first <= openRange.last + 1) openRange.last = Math.max(openRange.last, last);
    else mergedRanges.push({ first, last });
  }
  return mergedRanges;
}

function firstNights(ranges: readonly NightRange[]): Night[] {
  const nights: Night[] = [];
  for (const { first, last } of ranges) {
    for (let night = first; night <= last && nights.length < MAX_SHOWN_NIGHTS; night++) nights.push(night);
  }
  return nights;
}

function groupChanges(changes: readonly NightChange[]): ChangeRow[] {
  const groups = Map.groupBy(changes, ({ kind, category, lane, column }) => `${kind}\n${category}\n${lane}\n${column}`);
  return [...groups.values()].map((runs) => ({ runs, currency: commonCurrency(runs) }));
}

function commonCurrency(runs: readonly NightChange[]): string | undefined {
  if (!isMoney(runs[0]!.column)) return undefined;
  const currencyPairs = runs.flatMap(({ from, to, currencies }) => [
    from === undefined ? [] : currencies?.from,
    to === undefined ? [] : currencies?.to,
  ]);
  const currencies = new Set(currencyPairs.flat().map((one) => String(one ?? "")));
  return currencies.size === 1 ? [...currencies][0] || undefined : undefined;
}

function findRun(runs: readonly NightChange[], night: Night): NightChange | undefined {
  return runs.find(({ first, last }) => first <= night && night <= last);
}

function tableRow({ runs, currency }: ChangeRow, nights: readonly Night[], property: string | undefined): Html {
  const { category, lane, column } = runs[0]!;
  const label = `${attributeLabel(column)}${currency === undefined ? "" : `, ${currency}`}`;
  return html`<tr>
    <th scope="row">
      <code>${category}</code>${lane === "" ? emptyHtml : html` <code>${lane}</code>`} <span class="name" title="${label}">${label}</span>
    </th>
    ${mapHtml(nights, (night) => {
      const run = findRun(runs, night);
      return run === undefined ? html`<td></td>` : html`<td>${changeCell({ ...run, first: night }, currency, property)}</td>`;
    })}
  </tr>`;
}

function changeCell(change: NightChange, currency: string | undefined, property: string | undefined): Html {
  const texts = changeTexts(change);
  const withoutCurrency = (text: string) => (currency === undefined ? text : text.replace(` ${currency}`, ""));
  const [from, to] = [withoutCurrency(texts.from), withoutCurrency(texts.to)];
  const old = change.from === undefined ? emptyHtml : html`<del><span class="visually-hidden">was </span>${from}</del> `;
  const content = html`${old}${change.to === undefined ? html`<i>removed</i>` : html`<b>${to}</b>`}`;
  return property === undefined ? content : html`<a href="${nightLink(change, property)}">${content}</a>`;
}
