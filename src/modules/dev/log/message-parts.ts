import type { MessageRow } from "../../../db/schema.ts";
import { OUTCOMES, type Notes, type Outcome } from "../../../journal/work.ts";
import { excerpt } from "../../../text.ts";
import { each, type Html, html, nothing } from "../../../web/html.ts";
import { isolate } from "../../../web/parts/isolate.ts";
import { noneCell } from "../../../web/parts/table.ts";
import { path, withQuery } from "../../../web/path.ts";

export function outcomeBadge(outcome: Outcome): Html {
  return html`<span class="badge ${OUTCOMES[outcome]}">${outcome}</span>`;
}

export function messageBadges({ outcome, dry_run: dryRun }: Pick<MessageRow, "outcome" | "dry_run">): Html {
  return html`${outcomeBadge(outcome)}${dryRun === 1 ? html` <span class="badge">dry run</span>` : nothing}`;
}

export type ActiveFilters = Readonly<Record<string, string | undefined>>;

/** The maximum length of a property code. Unauthenticated senders can send longer ones. */
const CODE_LENGTH = 64;

export function propertyCell({ property }: MessageRow, active: ActiveFilters = {}): Html {
  if (property === null) return noneCell;
  const code = html`<code>${excerpt(property, 0, CODE_LENGTH)}</code>`;
  const link = html`<a href="${withQuery(path`/dev/logs`, { ...active, property })}" title="Messages for this property">${code}</a>`;
  return html`<td class="name" data-label="Property">${active.property === property ? code : link}</td>`;
}

export function notesList({ errors, warnings, advisories, ignored }: Notes): Html {
  return html`${noteItems("Errors", errors)}${noteItems("Warnings", warnings)}${textItems("Advisories", advisories)}${
    ignored.length === 0
      ? nothing
      : html`<h3>Ignored</h3>
          <p>${ignored.join(", ")}</p>`
  }`;
}

function noteItems(title: string, notes: Notes["errors"]): Html {
  return itemsOf(
    title,
    notes.map(
      ({ type, code, text, at, record }) =>
        html`${isolate(text)}
          <span class="muted"
            >(type
            ${type}${code === undefined ? "" : `, code ${code}`}${at === undefined ? "" : `, at ${at}`}${
              record === undefined ? "" : `, record ${record}`
            })</span
          >`,
    ),
  );
}

function textItems(title: string, texts: readonly string[]): Html {
  return itemsOf(title, texts.map(isolate));
}

function itemsOf(title: string, items: readonly Html[]): Html {
  if (items.length === 0) return nothing;
  return html`<h3>${title}</h3>
    <ul>
      ${each(items, (item) => html`<li>${item}</li>`)}
    </ul>`;
}
