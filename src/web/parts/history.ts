import { readTyped } from "../form.ts";
import { OPEN_USER } from "../guard/user.ts";
import { each, type Html, html, nothing, type Path } from "../html.ts";
import { path, withQuery } from "../path.ts";
import { amount } from "./amount.ts";
import { type FieldWords, labelOf, NOTHING, pairWords, valueWords } from "./field-words.ts";
import { forAdmins } from "./for-admins.ts";
import { isolate } from "./isolate.ts";
import { localMoment, moment } from "./moment.ts";

type FieldChange = { field: string; from: string; to: string };
/** A change of a record; `from` is what a field had before, `message` the id of the message that made it. */
export type HistoryEntry = {
  id: number;
  at: number;
  actor: string;
  action: string;
  changes: readonly FieldChange[];
  message?: number | undefined;
};

/** What a page shows of them, newest first; `more`: there are older ones. */
export type History = { entries: readonly HistoryEntry[]; more: boolean };

const NEWEST = 20;
const ALL = 1_000;

/** Reads the newest entries with `list`, or as many as anyone looks through where the query has `history=all`. */
export async function readHistory(query: unknown, list: (limit: number) => Promise<readonly HistoryEntry[]>): Promise<History> {
  const limit = readTyped(query).history === "all" ? ALL : NEWEST;
  const entries = await list(limit + 1);
  return { entries: entries.slice(0, limit), more: entries.length > limit };
}

/** The same as JSON, with times in UTC; `moreHistory`: there are older changes. */
export function historyJson({ entries, more }: History): object {
  const told = entries.map(({ id, at, actor, action, message, changes }) => {
    return { id, at: new Date(at).toISOString(), actor, action, message, changes };
  });
  return { history: told, moreHistory: more };
}

/** Who changed what, newest first. At `edit` each change can be taken back in the form. */
export function history({ entries, more }: History, words: FieldWords, edit: Path): Html {
  return html`<section aria-labelledby="history">
    <h2 id="history">History</h2>
    ${entries.length === 0 ? html`<p class="muted">Nothing is recorded yet.</p>` : nothing}
    <ol class="history">
      ${each(entries, (entry) => historyEntry(entry, words, edit))}
    </ol>
    ${more ? older(entries.length) : nothing}
  </section>`;
}

function older(shown: number): Html {
  if (shown >= ALL) return html`<p class="hint">The newest ${amount(ALL)} changes.</p>`;
  return html`<p><a href="?history=all#history">Show older changes</a></p>`;
}

function historyEntry({ id, at, actor, action, changes, message }: HistoryEntry, words: FieldWords, edit: Path): Html {
  const created = action === "create";
  const list = html`<ul>
    ${each(changes, (one) => (created ? entered(one, words) : change(one, words)))}
  </ul>`;
  return html`<li>
    <p>${moment(at)} ${created ? "Created" : "Changed"} ${byWhom(actor)}${inMessage(message)}</p>
    ${
      created
        ? html`<details>
            <summary>What was entered</summary>
            ${list}
          </details>`
        : html`${list}
          ${forAdmins(
            html`<p>
              <a href="${withQuery(edit, { restore: id })}"
                >Take back in the form<span class="visually-hidden"> what was changed at ${localMoment(at)}</span></a
              >
            </p>`,
          )}`
    }
  </li>`;
}

/** In which message, where it was one. */
export function inMessage(id: number | undefined): Html {
  return id === undefined ? nothing : html` in <a href="${path`/dev/logs/${id}`}">message #${id}</a>`;
}

function change({ field, from, to }: FieldChange, words: FieldWords): Html {
  const [before, after] = pairWords(field, [from, to], words);
  if (before === NOTHING) return entered({ field, to }, words);
  return html`<li>${labelOf(field, words)}: <del>${before}</del> to <ins>${after}</ins></li>`;
}

function entered({ field, to }: Pick<FieldChange, "field" | "to">, words: FieldWords): Html {
  return html`<li>${labelOf(field, words)}: <ins>${valueWords(field, to, words)}</ins></li>`;
}

/** Who acted, as the audit names them. */
export function byWhom(actor: string): Html {
  return actor === OPEN_USER.name ? html`with open access` : html`by ${isolate(actor)}`;
}
