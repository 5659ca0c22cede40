import { readTyped } from "../form.ts";
import { OPEN_USER } from "../guard/user.ts";
import { each, type Html, html, nothing, type Path } from "../html.ts";
import { path, withQuery } from "../path.ts";
import { amount } from "./amount.ts";
import { describePair, describeValue, type FieldWords, labelOf, NOTHING } from "./field-words.ts";
import { ifAllowed } from "./if-allowed.ts";
import { isolate } from "./isolate.ts";
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

/** `all` is the page with every entry; by default, this one with `?history=all`. */
export type History = { entries: readonly HistoryEntry[]; more: boolean; all?: Path };

const PAGE_LIMIT = 20;
const FULL_LIMIT = 1_000;

export async function readHistory(query: unknown, list: (limit: number) => Promise<readonly HistoryEntry[]>): Promise<History> {
  const limit = readTyped(query).history === "all" ? FULL_LIMIT : PAGE_LIMIT;
  const entries = await list(limit + 1);
  return { entries: entries.slice(0, limit), more: entries.length > limit };
}

export function historyJson({ entries, more }: History): object {
  const historyEntries = entries.map(({ id, at, actor, action, message, changes }) => {
    return { id, at: new Date(at).toISOString(), actor, action, message, changes };
  });
  return { history: historyEntries, moreHistory: more };
}

export function history({ entries, more, all }: History, words: FieldWords, edit: Path): Html {
  return html`<section aria-labelledby="history">
    <h2 id="history">History</h2>
    ${entries.length === 0 ? html`<p class="muted">No changes yet.</p>` : nothing}
    <ol class="history">
      ${each(entries, (entry) => historyEntry(entry, words, edit))}
    </ol>
    ${more ? moreNotice(entries.length, all) : nothing}
  </section>`;
}

function moreNotice(shown: number, all: Path | undefined): Html {
  if (shown >= FULL_LIMIT) return html`<p class="hint">Showing the newest ${amount(FULL_LIMIT)} changes.</p>`;
  return html`<p><a href="${all ?? "?history=all#history"}">Show older changes</a></p>`;
}

function historyEntry({ id, at, actor, action, changes, message }: HistoryEntry, words: FieldWords, edit: Path): Html {
  const isCreated = action === "create";
  const isEdit = changes.some(({ field }) => Object.hasOwn(words.labels, field));
  const list = html`<ul>
    ${each(changes, (change) => (isCreated ? initialValue(change, words) : changedValue(change, words)))}
  </ul>`;
  const revert = html`<p>
    <a href="${withQuery(edit, { restore: id })}">Revert…<span class="visually-hidden"> the change made on ${localMoment(at)}</span></a>
  </p>`;
  return html`<li>
    <p>${relativeMoment(at)} ${isCreated ? "Created" : "Changed"} ${byActor(actor)}${inMessage(message)}</p>
    ${
      isCreated
        ? html`<details>
            <summary>Initial values</summary>
            ${list}
          </details>`
        : html`${list} ${isEdit ? ifAllowed(revert) : nothing}`
    }
  </li>`;
}

export function inMessage(id: number | undefined): Html {
  return id === undefined ? nothing : html` in <a href="${path`/dev/logs/${id}`}">message #${id}</a>`;
}

function changedValue({ field, from, to }: FieldChange, words: FieldWords): Html {
  const [before, after] = describePair(field, [from, to], words);
  if (before === NOTHING) return initialValue({ field, to }, words);
  return html`<li>${labelOf(field, words)}: <del>${before}</del> to <ins>${after}</ins></li>`;
}

function initialValue({ field, to }: Pick<FieldChange, "field" | "to">, words: FieldWords): Html {
  return html`<li>${labelOf(field, words)}: <ins>${describeValue(field, to, words)}</ins></li>`;
}

export function byActor(actor: string): Html {
  return actor === OPEN_USER.name ? html`by anonymous (open access)` : html`by ${isolate(actor)}`;
}
