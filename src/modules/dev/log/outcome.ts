import type { MessageRow } from "../../../db/schema.ts";
import { OUTCOMES } from "../../../journal/outcome.ts";
import type { Notes, Outcome } from "../../../journal/work.ts";
import { each, type Html, html, nothing } from "../../../web/html.ts";
import { isolate } from "../../../web/parts/isolate.ts";

/** The outcome in a colour; the word says it alone. */
export function outcomeBadge(outcome: Outcome): Html {
  return html`<span class="badge ${OUTCOMES[outcome]}">${outcome}</span>`;
}

/** The outcome of a message, and whether it was a dry run. */
export function messageBadges({ outcome, dry_run: dryRun }: Pick<MessageRow, "outcome" | "dry_run">): Html {
  return html`${outcomeBadge(outcome)}${dryRun === 1 ? html` <span class="badge">dry run</span>` : nothing}`;
}

/** Errors, warnings, advisories and what was ignored; nothing when there is none of them. */
export function notesList({ errors, warnings, advisories, ignored }: Notes): Html {
  return html`${noteItems("Errors", errors)}${noteItems("Warnings", warnings)}${textItems("Advisories", advisories)}${
    ignored.length === 0
      ? nothing
      : html`<h3>Not used</h3>
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
