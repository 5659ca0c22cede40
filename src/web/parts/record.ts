import { each, type Html, html, nothing } from "../html.ts";
import { moment } from "./moment.ts";

/** What people call each field. */
export type Labels = Readonly<Record<string, string>>;

type FieldChange = { field: string; from: string; to: string };
type HistoryEntry = { at: number; actor: string; action: string; changes: readonly FieldChange[] };

const SHOWN = 120;

/** Who changed what, newest first. */
export function history(entries: readonly HistoryEntry[], labels: Labels): Html {
  return html`<section aria-labelledby="history">
    <h2 id="history">History</h2>
    ${entries.length === 0 ? html`<p class="muted">Nothing is recorded yet.</p>` : nothing}
    <ol class="history">
      ${each(entries, (entry) => historyEntry(entry, labels))}
    </ol>
  </section>`;
}

function historyEntry({ at, actor, action, changes }: HistoryEntry, labels: Labels): Html {
  const created = action === "create";
  const list = html`<ul>
    ${each(changes, ({ field, from, to }) => change(labels[field] ?? field, from, to))}
  </ul>`;
  return html`<li>
    <p>${moment(at)} ${created ? "Created" : "Changed"} by ${actor}</p>
    ${
      created
        ? html`<details>
            <summary>What was entered</summary>
            ${list}
          </details>`
        : list
    }
  </li>`;
}

function change(label: string, from: string, to: string): Html {
  if (from === "") return html`<li>${label}: <ins>${shorten(to)}</ins></li>`;
  return html`<li>${label}: <del>${shorten(from)}</del> to <ins>${to === "" ? "nothing" : shorten(to)}</ins></li>`;
}

/** Notices about what is allowed but may give trouble. */
export function warnings(texts: readonly string[]): Html {
  return html`${each(texts, (text) => html`<p class="notice warn"><strong>Note:</strong> ${text}</p>`)}`;
}

/** The beginning of a text that is too long to be shown. */
export function shorten(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
