import type { Choices } from "../../text.ts";
import type { Faults, TypedValues } from "../form.ts";
import { mapHtml, type Html, html, emptyHtml } from "../html.ts";

export type FormState = { typed: TypedValues; faults: Faults };

export type FormField = {
  name: string;
  label: string;
  hint?: string;
  required?: boolean;
  fixed?: boolean;
};

export function errorSummary(faults: Faults): Html {
  const entries = Object.entries(faults);
  if (entries.length === 0) return emptyHtml;
  return html`<div class="summary" tabindex="-1" data-focus>
    <div role="alert">
      <h2>There is a problem</h2>
      <ul>
        ${mapHtml(entries, ([name, text]) => html`<li><a href="#f-${name}">${text}</a></li>`)}
      </ul>
    </div>
  </div>`;
}

type TextField = FormField & {
  type?: "text" | "email" | "url" | "number" | "tel" | "time";
  size?: "short" | "medium" | "long";
  list?: string;
  /** Length of the longest code that all senders support. A script warns if a code is longer. */
  longest?: number;
  /** Whether the field gets the focus when the page opens. */
  focused?: boolean;
};

/**
 * A single-line text field. Most types set only the input mode, so that our own messages appear instead of the browser's. Invalid times
 * also use text, because browsers would not show them. Don't use `number` for values that may be negative, because phones show no minus
 * key. There is no maximum length, because browsers silently truncate pasted text.
 */
export function textField(state: FormState, field: TextField): Html {
  return labelledField(
    state,
    field,
    html`<input
      id="f-${field.name}"
      name="${field.name}"
      type="${field.type === "time" && state.faults[field.name] === undefined ? "time" : "text"}"
      inputmode="${INPUT_MODES[field.type ?? "text"] ?? "text"}"
      class="${field.size ?? "medium"}"
      dir="auto"
      value="${state.typed[field.name] ?? ""}"
      ${field.list === undefined ? emptyHtml : html`list="${field.list}"`}
      ${field.longest === undefined ? emptyHtml : html`data-longest="${field.longest}"`}
      ${field.focused ? html`autofocus` : emptyHtml}
      ${inputAttributes(state, field)}
    />`,
  );
}

const INPUT_MODES: Record<string, string> = { email: "email", url: "url", number: "decimal", tel: "tel" };

export function areaField(state: FormState, field: FormField & { rows?: number }): Html {
  return labelledField(
    state,
    field,
    html`<textarea id="f-${field.name}" name="${field.name}" rows="${field.rows ?? 4}" dir="auto" ${inputAttributes(state, field)}>
${state.typed[field.name] ?? ""}</textarea>`,
  );
}

/** Never shows the entered password. `autocomplete` tells password managers what to fill in. */
export function passwordField(state: FormState, field: FormField & { autocomplete: "current-password" | "new-password" }): Html {
  const input = html`<input
    id="f-${field.name}"
    name="${field.name}"
    type="password"
    class="medium"
    autocomplete="${field.autocomplete}"
    ${inputAttributes(state, field)}
  />`;
  return labelledField(state, field, input);
}

/**
 * A drop-down list. Keeps an unknown value, so that a refused form shows what was sent. If `guess` is set, a script selects the browser's
 * value.
 */
export function choiceField(state: FormState, field: FormField & { choices: Choices; guess?: "time-zone" | undefined }): Html {
  const choices: Choices = field.required ? field.choices : [["", "Not stated"], ...field.choices];
  const value = state.typed[field.name] ?? choices[0]![0];
  const isKnown = choices.some(([one]) => one === value);
  return labelledField(
    state,
    field,
    html`<select
      id="f-${field.name}"
      name="${field.name}"
      ${field.guess === undefined ? emptyHtml : html`data-guess="${field.guess}"`}
      ${inputAttributes(state, field)}
    >
      ${optionElements(isKnown ? choices : [[value, value], ...choices], value)}
    </select>`,
  );
}

/** A checkbox. The empty hidden field distinguishes an unticked box from a field that was not sent. */
export function tickField(state: FormState, field: FormField): Html {
  const isTicked = ["on", "1", "true"].includes(state.typed[field.name] ?? "");
  return html`<div class="field tick">
    <input type="hidden" name="${field.name}" value="" />
    <input
      id="f-${field.name}"
      name="${field.name}"
      type="checkbox"
      value="on"
      ${isTicked ? html`checked` : emptyHtml}
      ${inputAttributes(state, field)}
    />
    <label for="f-${field.name}">${field.label}</label>
    ${fieldHint(field)} ${faultText(field.name, state.faults[field.name])}
  </div>`;
}

export function tokenField(token: string): Html {
  return html`<input type="hidden" name="_csrf" value="${token}" />`;
}

export function hiddenFields(values: Readonly<Record<string, string | number | undefined>>): Html {
  const keptValues = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  return mapHtml(keptValues, ([name, value = ""]) => html`<input type="hidden" name="${name}" value="${value}" />`);
}

export type SelectOptions = { value: string; choices: Choices; fault?: string | undefined };

export function selectElement(name: string, { value, choices, fault }: SelectOptions): Html {
  return html`<select id="f-${name}" name="${name}" ${faultAttributes(name, fault)}>
    ${optionElements(choices, value)}
  </select>`;
}

export function selectBox(name: string, label: string, content: SelectOptions): Html {
  const { fault } = content;
  return fieldBox(fault, html`<label for="f-${name}">${label}</label> ${faultText(name, fault)} ${selectElement(name, content)}`);
}

export function optionElements(choices: Choices, chosen: string): Html {
  return mapHtml(choices, ([value, label]) =>
    value === chosen ? html`<option value="${value}" selected>${label}</option>` : html`<option value="${value}">${label}</option>`,
  );
}

export function fieldBox(fault: string | undefined, content: Html): Html {
  return html`<div class="${fault === undefined ? "field" : "field refused"}">${content}</div>`;
}

export function faultText(name: string, fault: string | undefined): Html {
  return fault === undefined ? emptyHtml : html`<p class="fault" id="e-${name}">${fault}</p>`;
}

export function faultAttributes(name: string, fault: string | undefined): Html {
  return fault === undefined ? emptyHtml : html`aria-invalid="true" aria-describedby="e-${name}"`;
}

function labelledField(state: FormState, field: FormField, input: Html): Html {
  const fault = state.faults[field.name];
  return fieldBox(
    fault,
    html`<label for="f-${field.name}">${field.label}${field.required ? emptyHtml : html` <span class="optional">(optional)</span>`}</label>
      ${fieldHint(field)} ${faultText(field.name, fault)} ${input}`,
  );
}

function fieldHint(field: FormField): Html {
  return field.hint === undefined ? emptyHtml : html`<p class="hint" id="h-${field.name}">${field.hint}</p>`;
}

function inputAttributes(state: FormState, field: FormField): Html {
  const isInvalid = state.faults[field.name] !== undefined;
  const describedBy = [field.hint !== undefined && `h-${field.name}`, isInvalid && `e-${field.name}`].filter(Boolean).join(" ");
  return html`${describedBy === "" ? emptyHtml : html`aria-describedby="${describedBy}"`} ${isInvalid && html`aria-invalid="true"`}
  ${field.fixed ? html`readonly` : emptyHtml}`;
}
