import { readTyped } from "../form.ts";
import { OPEN_USER } from "../guard/user.ts";
import { mapHtml, type Html, html, emptyHtml, type Path } from "../html.ts";
import { path, withQuery } from "../path.ts";
import { formatNumber } from "./amount.ts";
import { describePair, describeValue, type FieldWords, fieldLabel, EMPTY_VALUE_TEXT } from "./field-words.ts";
import { ifAllowed } from "./if-allowed.ts";
import { isolateDirections } from "./isolate.ts";
import { localMoment, relativeMoment } from "./moment.ts";

type FieldChange = { field: string; from: string; to: string };
export type HistoryEntry = {
  id: number;
  at: number;
  actor: string;
  action: string;
  changes: readonly FieldChange[];
  message?: number | undefined;
};

/** `all` is the page with every entry; it defaults to the current page with `?history=all`. */
export type RecordHistory = { entries: readonly HistoryEntry[]; more: boolean; all?: Path };

const MAX_SHOWN_ENTRIES = 20;
const MAX_LISTED_ENTRIES = 1_000;

export async function readHistory(query: unknown, list: (limit: number) => Promise<readonly HistoryEntry[]>): Promise<RecordHistory> {
  const limit = readTyped(query).history === "all" ? MAX_LISTED_ENTRIES : MAX_SHOWN_ENTRIES;
  const entries = await list(limit + 1);
  return { entries: entries.slice(0, limit), more: entries.length > limit };
}

export function historyJson({ entries, more }: RecordHistory): object {
  const historyEntries = entries.map(({ id, at, actor, action, message, changes }) => {
    return { id, at: new Date(at).toISOString(), actor, action, message, changes };
  });
  return { history: historyEntries, moreHistory: more };
}

export function historyList({ entries, more, all }: RecordHistory, words: FieldWords, edit: Path): Html {
  return html`<section aria-labelledby="history">
    <h2 id="history">History</h2>
    ${entries.length === 0 ? html`<p class="muted">No changes yet.</p>` : emptyHtml}
    <ol class="history">
      ${mapHtml(entries, (entry) => historyEntry(entry, words, edit))}
    </ol>
    ${more ? moreNotice(entries.length, all) : emptyHtml}
  </section>`;
}

function moreNotice(shown: number, all: Path | undefined): Html {
  if (shown >= MAX_LISTED_ENTRIES) return html`<p class="hint">Showing the newest ${formatNumber(MAX_LISTED_ENTRIES)} changes.</p>`;
  return html`<p><a href="${all ?? "?history=all#history"}">Show older changes</a></p>`;
}

function historyEntry({ id, at, actor, action, changes, message }: HistoryEntry, words: FieldWords, edit: Path): Html {
  const isCreateAction = action === "create";
  const hasFormField = changes.some(({ field }) => Object.hasOwn(words.labels, field));
  const list = html`<ul>
    ${mapHtml(changes, (change) => (isCreateAction ? initialValue(change, words) : changedValue(change, words)))}
  </ul>`;
  const revertLink = html`<p>
    <a href="${withQuery(edit, { restore: id })}">Revert…<span class="visually-hidden"> the change made on ${localMoment(at)}</span></a>
  </p>`;
  return html`<li>
    <p>${relativeMoment(at)} ${isCreateAction ? "Created" : "Changed"} ${byActor(actor)}${messageLink(message)}</p>
    ${
      isCreateAction
        ? html`<details>
            <summary>Initial values</summary>
            ${list}
          </details>`
        : html`${list} ${hasFormField ? ifAllowed(revertLink) : emptyHtml}`
    }
  </li>`;
}

export function messageLink(id: number | undefined): Html {
  return id === undefined ? emptyHtml : html` in <a href="${path`/dev/logs/${id}`}">message #${id}</a>`;
}

function changedValue({ field, from, to }: FieldChange, words: FieldWords): Html {
  const [before, after] = describePair(field, [from, to], words);
  if (before === EMPTY_VALUE_TEXT) return initialValue({ field, to }, words);
  return html`<li>${fieldLabel(field, words)}: <del>${before}</del> to <ins>${after}</ins></li>`;
}

function initialValue({ field, to }: Pick<FieldChange, "field" | "to">, words: FieldWords): Html {
  return html`<li>${fieldLabel(field, words)}: <ins>${describeValue(field, to, words)}</ins></li>`;
}

export function byActor(actor: string): Html {
  return actor === OPEN_USER.name ? html`by anonymous (open access)` : html`by ${isolateDirections(actor)}`;
}
