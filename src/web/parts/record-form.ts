import type { Faults } from "../form.ts";
import { type Html, html, nothing, type Path } from "../html.ts";
import type { Choices } from "./field.ts";
import { choiceField, type Field, type FormState, tokenField } from "./fields.ts";

/** The frame of a record's form; `unsaved`: its fields have values that are not stored. */
export type RecordForm = { token: string; unsaved: boolean; fields: Html; submit: string; back: Path };

/** The faults in the order of the fields: a rule over two fields is found after the rules of each. */
export function inOrder(faults: Faults, names: readonly string[]): Faults {
  const place = (name: string) => (names.includes(name) ? names.indexOf(name) : -1);
  return Object.fromEntries(Object.entries(faults).toSorted(([a], [b]) => place(a) - place(b)));
}

/** The form of a record, which asks before typed values are lost. Its times are checked by the browser, which sends none of what is typed in part. */
export function recordForm({ token, unsaved, fields, submit, back }: RecordForm): Html {
  return html`<form method="post" data-unsaved="${unsaved ? "typed" : "stored"}">
    ${tokenField(token)} ${fields}
    <div class="actions"><button type="submit">${submit}</button> <a href="${back}">Cancel</a></div>
  </form>`;
}

/** Fields that belong together; `rest` stands below them. */
export function fieldGroup(title: string, fields: Html, rest: Html = nothing): Html {
  return html`<fieldset>
    <legend>${title}</legend>
    <div class="fields">${fields}</div>
    ${rest}
  </fieldset>`;
}

/** Rare fields behind a summary: open when one of them is wrong or differs from `usual`, the values that nobody changed. */
export function rareFields(
  state: FormState,
  usual: Readonly<Record<string, string>>,
  { title, fields }: { title: string; fields: Html },
): Html {
  const open = Object.entries(usual).some(([name, text]) => state.faults[name] !== undefined || (state.typed[name] ?? "") !== text);
  const content = html`<summary>${title}</summary>
    <div class="fields">${fields}</div>`;
  return open ? html`<details open>${content}</details>` : html`<details>${content}</details>`;
}

/** One of a list; an unknown value is kept, so that a refused form still shows what was sent. */
export function listField(state: FormState, field: Field & { choices: Choices }): Html {
  const choices: Choices = field.required ? field.choices : [["", "Not stated"], ...field.choices];
  const value = state.typed[field.name] ?? choices[0]![0];
  return choiceField(state, { ...field, choices: choices.some(([one]) => one === value) ? choices : [[value, value], ...choices] });
}
