import { each, type Html, html, nothing } from "../html.ts";

/** A field with what belongs to it; one with a fault is marked. */
export function fieldBox(fault: string | undefined, content: Html): Html {
  return html`<div class="${fault === undefined ? "field" : "field refused"}">${content}</div>`;
}

/** What is wrong with the field, beside it; nothing when all is well. */
export function faultText(name: string, fault: string | undefined): Html {
  return fault === undefined ? nothing : html`<p class="fault" id="e-${name}">${fault}</p>`;
}

/** The attributes that tell what is wrong to those who hear the page. */
export function faultMarks(name: string, fault: string | undefined): Html {
  return fault === undefined ? nothing : html`aria-invalid="true" aria-describedby="e-${name}"`;
}

/** Values to choose from, and what people call them. */
export type Choices = readonly (readonly [value: string, label: string])[];

/** The options of a list. */
export function options(choices: Choices, chosen: string): Html {
  return each(choices, ([value, label]) => option(value, label, value === chosen));
}

/** One of the values that can be chosen. */
function option(value: string, label: string, selected: boolean): Html {
  return selected ? html`<option value="${value}" selected>${label}</option>` : html`<option value="${value}">${label}</option>`;
}

/** A list of which one is chosen, and what is wrong with it. */
export type Select = { value: string; choices: Choices; fault?: string | undefined };

export function select(name: string, { value, choices, fault }: Select): Html {
  return html`<select id="f-${name}" name="${name}" ${faultMarks(name, fault)}>
    ${options(choices, value)}
  </select>`;
}

/** The same with its label. */
export function selectBox(name: string, label: string, content: Select): Html {
  const { fault } = content;
  return fieldBox(fault, html`<label for="f-${name}">${label}</label> ${faultText(name, fault)} ${select(name, content)}`);
}

/** What goes along with a form unseen; empty values do not. */
export function hiddenFields(values: Readonly<Record<string, string | number | undefined>>): Html {
  const kept = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  return each(kept, ([name, value = ""]) => html`<input type="hidden" name="${name}" value="${value}" />`);
}
