import type { Typed } from "../form.ts";
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

/** What to do when a record was changed between opening its form and saving it: both values of each field that differs. */
export function conflictNotice(typed: Typed, stored: Typed, labels: Labels): Html {
  const differing = Object.keys(labels).filter((name) => (typed[name] ?? "") !== (stored[name] ?? ""));
  return html`<div class="summary" tabindex="-1" data-focus>
    <div role="alert">
      <h2>Somebody else changed this while you were editing</h2>
      <p>Nothing was saved. The form below has what you typed. Change it where the other value is right, then save again.</p>
    </div>
    <div class="scroll" role="region" aria-label="Both values" tabindex="0">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Stored now</th>
            <th scope="col">Yours</th>
          </tr>
        </thead>
        <tbody>
          ${each(differing, (name) => difference(name, { label: labels[name] ?? name, stored: stored[name], typed: typed[name] }))}
        </tbody>
      </table>
    </div>
  </div>`;
}

function difference(
  name: string,
  { label, stored, typed }: { label: string; stored: string | undefined; typed: string | undefined },
): Html {
  return html`<tr>
    <th scope="row"><a href="#f-${name}">${label}</a></th>
    <td>${shorten(stored || "nothing")}</td>
    <td>${shorten(typed || "nothing")}</td>
  </tr>`;
}

/** Notices about what is allowed but may give trouble. */
export function warnings(texts: readonly string[]): Html {
  return html`${each(texts, (text) => html`<p class="notice warn"><strong>Note:</strong> ${text}</p>`)}`;
}

function shorten(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
