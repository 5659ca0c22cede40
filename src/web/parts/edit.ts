import { hash } from "node:crypto";
import type { Faults, Typed } from "../form.ts";
import { each, type Html, html, nothing } from "../html.ts";
import { type FieldWords, isLong, labelOf, pairWords } from "./field-words.ts";
import type { FormState } from "./fields.ts";
import { byWhom, type HistoryEntry, inMessage } from "./history.ts";
import { moment } from "./moment.ts";
import { scrollTable } from "./table.ts";

/**
 * An edit as it came back: `stored` is what the record has now; `conflict` is set when it was changed in between, `restored`
 * when the form has what stood there before a change of the history.
 */
type Edit = {
  state: FormState;
  stored: Typed;
  version: number;
  conflict?: Overtaken | undefined;
  restored?: HistoryEntry | undefined;
  words: FieldWords;
};

/** What came between opening a form and saving it: the last change, where it is recorded. */
export type Overtaken = { by: HistoryEntry | undefined };

/** What the form of an edit shows: its state, what to say above it, and the hidden fields that tell one edit from another. */
type EditParts = { state: FormState; notice: Html; marks: Html };

/**
 * The parts of the form that edits a record. After a conflict it has the typed values, and in untouched fields those that
 * others have saved.
 */
export function editParts({ state, stored, version, conflict, restored, words }: Edit): EditParts {
  const names = Object.keys(words.labels);
  const refused = Object.keys(state.faults).length > 0;
  const seen = refused && !conflict ? (state.typed.seen ?? "") : seenOf(stored, names);
  const marks = html`<input type="hidden" name="version" value="${version}" /> <input type="hidden" name="seen" value="${seen}" />`;
  if (!conflict) return { state, notice: restored ? restoredNotice(restored, words) : nothing, marks };
  const differing = names.filter((name) => textIn(state.typed, name) !== textIn(stored, name));
  const untouched = differing.filter((name) => isUntouched(state.typed, name, names));
  const typed = { ...state.typed, ...Object.fromEntries(untouched.map((name) => [name, textIn(stored, name)])) };
  const rows = differing.map((name) => ({
    name,
    stored: textIn(stored, name),
    typed: textIn(state.typed, name),
    taken: untouched.includes(name),
  }));
  return { state: { ...state, typed }, notice: conflictNotice(rows, conflict, words), marks };
}

/** The JSON answer to an edit when the record was changed in between. */
export function conflictWith({ version }: { version: number }): Faults {
  return { version: `This was changed while the form was open; it has version ${version} now` };
}

/** The values before a change of the history. */
export function valuesBefore(entry: HistoryEntry | undefined): Typed {
  return Object.fromEntries((entry?.changes ?? []).map(({ field, from }) => [field, from]));
}

function restoredNotice({ at, actor, changes }: HistoryEntry, words: FieldWords): Html {
  const names = changes.map(({ field }) => labelOf(field, words)).join(", ");
  return html`<p class="notice warn" role="status">
    The form has what stood there before the change of ${moment(at)} ${byWhom(actor)}: ${names}. Nothing is saved yet.
  </p>`;
}

const MARK_LENGTH = 6;

/** Marks of each field's value when the form was opened: short, as values may be long. */
function seenOf(typed: Typed, names: readonly string[]): string {
  return names.map((name) => markOf(name, textIn(typed, name))).join("");
}

function isUntouched(typed: Typed, name: string, names: readonly string[]): boolean {
  const at = names.indexOf(name) * MARK_LENGTH;
  return typed.seen?.slice(at, at + MARK_LENGTH) === markOf(name, textIn(typed, name));
}

function markOf(name: string, text: string): string {
  return hash("sha256", `${name}\n${text}`, "base64url").slice(0, MARK_LENGTH);
}

function textIn(typed: Typed, name: string): string {
  return typed[name] ?? "";
}

/** `taken`: the form has the stored value, because here nobody had changed the field. */
type Row = { name: string; stored: string; typed: string; taken: boolean };

/** Tells that a record changed between opening its form and saving it, with both values of each differing field. */
function conflictNotice(rows: readonly Row[], { by }: Overtaken, words: FieldWords): Html {
  return html`<div class="summary" tabindex="-1" data-focus>
    <div role="alert">
      <h2>This was changed while the form was open</h2>
      <p>
        Nothing was saved${by ? html`: it was changed at ${moment(by.at)} ${byWhom(by.actor)}${inMessage(by.message)}` : nothing}. The form
        below has what you typed, and the stored value where you had changed nothing. Look at both values, then save again.
      </p>
    </div>
    ${scrollTable(
      { label: "Both values", heads: ["Field", "Stored now", "Yours", "In the form"] },
      each(rows, (row) => difference(row, words)),
    )}
  </div>`;
}

/** What was typed is in the form; what is stored can be read nowhere else. */
function difference({ name, stored, typed, taken }: Row, words: FieldWords): Html {
  const [theirs, yours] = pairWords(name, [stored, typed], words);
  return html`<tr>
    <th scope="row"><a href="#f-${name}">${labelOf(name, words)}</a></th>
    <td>${theirs}${isLong(stored) ? whole(stored) : nothing}</td>
    <td>${yours}</td>
    <td>${taken ? "the stored one" : "yours"}</td>
  </tr>`;
}

function whole(text: string): Html {
  return html` <details>
    <summary>Whole text</summary>
    <div class="text">${text}</div>
  </details>`;
}
