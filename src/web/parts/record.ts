import { each, type Html, html, nothing, type Path } from "../html.ts";
import { withQuery } from "../path.ts";
import { localMoment, moment } from "./moment.ts";

/** What people call each field. */
export type Labels = Readonly<Record<string, string>>;

type FieldChange = { field: string; from: string; to: string };
/** A change of a record; `from` is what a field had before. */
export type HistoryEntry = { id: number; at: number; actor: string; action: string; changes: readonly FieldChange[] };

const SHOWN = 120;

/** Who changed what, newest first. At `edit` each change can be taken back in the form. */
export function history(entries: readonly HistoryEntry[], labels: Labels, edit: Path): Html {
  return html`<section aria-labelledby="history">
    <h2 id="history">History</h2>
    ${entries.length === 0 ? html`<p class="muted">Nothing is recorded yet.</p>` : nothing}
    <ol class="history">
      ${each(entries, (entry) => historyEntry(entry, labels, edit))}
    </ol>
  </section>`;
}

function historyEntry({ id, at, actor, action, changes }: HistoryEntry, labels: Labels, edit: Path): Html {
  const created = action === "create";
  const list = html`<ul>
    ${each(changes, ({ field, from, to }) => change(labels[field] ?? field, from, to))}
  </ul>`;
  return html`<li>
    <p>${moment(at)} ${created ? "Created" : "Changed"} ${byWhom(actor)}</p>
    ${
      created
        ? html`<details>
            <summary>What was entered</summary>
            ${list}
          </details>`
        : html`${list}
            <p>
              <a href="${withQuery(edit, { restore: id })}"
                >Take back in the form<span class="visually-hidden"> what was changed at ${localMoment(at)}</span></a
              >
            </p>`
    }
  </li>`;
}

function change(label: string, from: string, to: string): Html {
  if (from === "") return html`<li>${label}: <ins>${shorten(to)}</ins></li>`;
  return html`<li>${label}: <del>${shorten(from)}</del> to <ins>${to === "" ? "nothing" : shorten(to)}</ins></li>`;
}

/** Who acted, as the audit names them. */
export function byWhom(actor: string): string {
  return actor === "open" ? "with open access" : `by ${actor}`;
}

/** Notices about what is allowed but may give trouble. */
export function warnings(texts: readonly string[]): Html {
  return html`${each(texts, (text) => html`<p class="notice warn"><strong>Note:</strong> ${text}</p>`)}`;
}

/** The beginning of a text that is too long to be shown. */
export function shorten(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
