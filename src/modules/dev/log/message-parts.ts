import type { NightChange } from "../../../calendar/change.ts";
import { formatNight } from "../../../calendar/night.ts";
import type { MessageRow } from "../../../db/schema.ts";
import { attributeLabel, changeTexts } from "../../../grid/changes.ts";
import { type MessageNote, type MessageNotes, type MessageOutcome, OUTCOME_BADGES } from "../../../journal/work.ts";
import { textExcerpt } from "../../../text.ts";
import { mapHtml, html, type Html, emptyHtml, type Path } from "../../../web/html.ts";
import { isolateDirections } from "../../../web/parts/isolate.ts";
import { emptyCell, scrollTable } from "../../../web/parts/table.ts";
import { path, withQuery } from "../../../web/path.ts";
import { ERROR_DOCS_PATH, errorDocs, WARNING_DOCS_PATH } from "../docs/documents.ts";

export function outcomeBadge(outcome: MessageOutcome): Html {
  return html`<span class="badge ${OUTCOME_BADGES[outcome]}">${outcome}</span>`;
}

export function messageBadges({ outcome, dry_run: dryRun }: Pick<MessageRow, "outcome" | "dry_run">): Html {
  return html`${outcomeBadge(outcome)}${dryRun === 1 ? html` <span class="badge">dry run</span>` : emptyHtml}`;
}

export type ActiveFilters = Readonly<Record<string, string | undefined>>;

/** The maximum length of a property code. Unauthenticated senders can send longer ones. */
const MAX_CODE_LENGTH = 64;

export function propertyCell({ property }: MessageRow, active: ActiveFilters = {}): Html {
  if (property === null) return emptyCell;
  const code = html`<code>${textExcerpt(property, 0, MAX_CODE_LENGTH)}</code>`;
  const link = html`<a href="${withQuery(path`/dev/logs`, { ...active, property })}" title="Messages for this property">${code}</a>`;
  return html`<td class="name" data-label="Property">${active.property === property ? code : link}</td>`;
}

export function notesList({ errors, warnings, advisories, ignored }: MessageNotes): Html {
  return html`${noteItems(
    "Errors",
    errors.map((note) => noteItem(note, note.code === undefined ? ERROR_DOCS_PATH : errorDocs(note.code))),
  )}${noteItems(
    "Warnings",
    warnings.map((note) => noteItem(note, WARNING_DOCS_PATH)),
  )}${noteItems("Advisories", advisories.map(isolateDirections))}${
    ignored.length === 0
      ? emptyHtml
      : html`<h3>Ignored</h3>
          <p>${ignored.join(", ")}</p>`
  }`;
}

function noteItem({ type, code, text, at, record }: MessageNote, docs: Path): Html {
  return html`${isolateDirections(text)}
    <span class="muted"
      >(<a href="${docs}">type ${type}${code === undefined ? "" : `, code ${code}`}</a>${at === undefined ? "" : `, at ${at}`}${
        record === undefined ? "" : `, record ${record}`
      })</span
    >`;
}

function noteItems(title: string, items: readonly Html[]): Html {
  if (items.length === 0) return emptyHtml;
  return html`<h3>${title}</h3>
    <ul>
      ${mapHtml(items, (item) => html`<li>${item}</li>`)}
    </ul>`;
}

const MAX_SHOWN_NOTES = 200;

export type ChangeSet = { property: string | undefined; nights: number; changes: readonly NightChange[] };

export function changesTable({ property, changes }: ChangeSet): Html {
  return html`${scrollTable(
    {
      label: "Changes",
      narrow: "stacked",
      heads: ["Category", "Rate plan or room", "Nights", "Field", "Old", "New"],
    },
    mapHtml(changes.slice(0, MAX_SHOWN_NOTES), (run) => changeRow(run, property)),
  )}
  ${changes.length > MAX_SHOWN_NOTES ? html`<p class="hint">First ${MAX_SHOWN_NOTES} of ${changes.length === 1_000 ? "1,000 or more" : changes.length} changes</p>` : emptyHtml}`;
}

function changeRow(run: NightChange, property: string | undefined): Html {
  const nights = run.first === run.last ? formatNight(run.first) : `${formatNight(run.first)} to ${formatNight(run.last)}`;
  const { from, to } = changeTexts(run);
  return html`<tr>
    <td>${run.category}</td>
    ${run.lane === "" ? emptyCell : html`<td>${run.lane}</td>`}
    <td class="nowrap">${property === undefined ? nights : html`<a href="${nightLink(run, property)}">${nights}</a>`}</td>
    <td>${attributeLabel(run.column)}</td>
    <td data-label="Old">${from}</td>
    <td data-label="New"><b>${to}</b></td>
  </tr>`;
}

/** Links to the history of the first night in a change. */
export function nightLink({ kind, category, lane, first }: NightChange, property: string): Path {
  const night = formatNight(first);
  if (kind === "rate") return withQuery(path`/rates`, { property, category, plan: lane, from: night, night });
  return withQuery(path`/inventories`, { property, category, room: lane, from: night, night });
}
