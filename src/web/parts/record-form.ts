import { hash } from "node:crypto";
import type { Faults, TypedValues } from "../form.ts";
import { mapHtml, type Html, html, emptyHtml, type Path } from "../html.ts";
import { describePair, type FieldWords, isLongValue, fieldLabel } from "./field-words.ts";
import { type FormState, hiddenFields, tokenField } from "./fields.ts";
import { byActor, type HistoryEntry, messageLink } from "./history.ts";
import { momentHtml } from "./moment.ts";
import { scrollTable } from "./table.ts";

type RecordForm = { token: string; unsaved: boolean; fields: Html; submit: string; back: Path };

/**
 * A record's form. A script asks for confirmation before entered values are lost. The browser validates times, because it would not send
 * incomplete ones.
 */
export function recordForm({ token, unsaved, fields, submit, back }: RecordForm): Html {
  return html`<form method="post" data-unsaved="${unsaved ? "typed" : "stored"}">
    ${tokenField(token)} ${fields}
    <div class="actions"><button type="submit">${submit}</button> <a href="${back}">Cancel</a></div>
  </form>`;
}

/** Sorts errors by field, because rules that involve two fields report theirs last. */
export function sortByField(faults: Faults, names: readonly string[]): Faults {
  return Object.fromEntries(Object.entries(faults).toSorted(([a], [b]) => names.indexOf(a) - names.indexOf(b)));
}

export function fieldGroup(title: string, fields: Html, more: Html = emptyHtml): Html {
  return html`<fieldset>
    <legend>${title}</legend>
    <div class="fields">${fields}</div>
    ${more}
  </fieldset>`;
}

/** Collapses rarely used fields, unless one is invalid or differs from `defaults`. */
export function rareFields(
  state: FormState,
  defaults: Readonly<Record<string, string>>,
  { title, fields }: { title: string; fields: Html },
): Html {
  const isOpen = Object.entries(defaults).some(([name, text]) => state.faults[name] !== undefined || (state.typed[name] ?? "") !== text);
  return html`<details ${isOpen ? html`open` : emptyHtml}>
    <summary>${title}</summary>
    <div class="fields">${fields}</div>
  </details>`;
}

type EditOptions = {
  state: FormState;
  stored: TypedValues;
  version: number;
  conflict?: EditConflict | undefined;
  restored?: HistoryEntry | undefined;
  words: FieldWords;
};

/** A different user saved the record while its form was open. `by` is that user's last change, if it was recorded. */
export type EditConflict = { by: HistoryEntry | undefined };

type EditParts = { state: FormState; notice: Html; marks: Html };

/** Prepares an edit form. After a conflict, it contains the user's changes and, in all other fields, the stored values. */
export function editParts({ state, stored, version, conflict, restored, words }: EditOptions): EditParts {
  const names = Object.keys(words.labels);
  const isRefused = Object.keys(state.faults).length > 0;
  const seen = isRefused && !conflict ? (state.typed.seen ?? "") : names.map((name) => fieldDigest(name, stored)).join("");
  const conflictFields = hiddenFields({ version, seen });
  if (!conflict) return { state, notice: restored ? restoredNotice(restored, words) : emptyHtml, marks: conflictFields };
  const differences = names
    .map((name, index) => ({
      name,
      stored: stored[name] ?? "",
      typed: state.typed[name] ?? "",
      isUntouched: state.typed.seen?.slice(index * DIGEST_LENGTH, (index + 1) * DIGEST_LENGTH) === fieldDigest(name, state.typed),
    }))
    .filter((field) => field.typed !== field.stored);
  const fromStored = differences.filter(({ isUntouched }) => isUntouched).map((field) => [field.name, field.stored] as const);
  const typed = { ...state.typed, ...Object.fromEntries(fromStored) };
  return { state: { ...state, typed }, notice: conflictNotice(differences, conflict, words), marks: conflictFields };
}

export function conflictFaults({ version }: { version: number }): Faults {
  return { version: `The record was changed while the form was open; its version is now ${version}` };
}

export function valuesBefore(entry: HistoryEntry | undefined): TypedValues {
  return Object.fromEntries((entry?.changes ?? []).map(({ field, from }) => [field, from]));
}

const DIGEST_LENGTH = 6;

function fieldDigest(name: string, typed: TypedValues): string {
  return hash("sha256", `${name}\n${typed[name] ?? ""}`, "base64url").slice(0, DIGEST_LENGTH);
}

function restoredNotice({ at, actor, changes }: HistoryEntry, words: FieldWords): Html {
  const names = changes.map(({ field }) => fieldLabel(field, words)).join(", ");
  return html`<p class="notice warn" role="status">
    The form shows the values from before the change made on ${momentHtml(at)} ${byActor(actor)}: ${names}. Nothing has been saved yet.
  </p>`;
}

/** `isUntouched` means that the user had not changed the field, so the form contains the stored value. */
type FieldDifference = { name: string; stored: string; typed: string; isUntouched: boolean };

function conflictNotice(differences: readonly FieldDifference[], { by }: EditConflict, words: FieldWords): Html {
  return html`<div class="summary" tabindex="-1" data-focus>
    <div role="alert">
      <h2>This record was changed while the form was open</h2>
      <p>
        Nothing was saved${by ? html`: it was changed at ${momentHtml(by.at)} ${byActor(by.actor)}${messageLink(by.message)}` : emptyHtml}.
        The form below shows your values, and the stored values for fields that you had not changed. Compare the values, then save again.
      </p>
    </div>
    ${scrollTable(
      { label: "Both values", heads: ["Field", "Stored now", "Yours", "In the form"] },
      mapHtml(differences, (difference) => differenceRow(difference, words)),
    )}
  </div>`;
}

/** Shows the full stored value, because it appears nowhere else on the page. */
function differenceRow({ name, stored, typed, isUntouched }: FieldDifference, words: FieldWords): Html {
  const [storedText, typedText] = describePair(name, [stored, typed], words);
  return html`<tr>
    <th scope="row"><a href="#f-${name}">${fieldLabel(name, words)}</a></th>
    <td>${storedText}${isLongValue(stored) ? fullText(stored) : emptyHtml}</td>
    <td>${typedText}</td>
    <td>${isUntouched ? "the stored value" : "yours"}</td>
  </tr>`;
}

function fullText(text: string): Html {
  return html` <details>
    <summary>Show full text</summary>
    <div class="text">${text}</div>
  </details>`;
}
