import type { Faults, Typed } from "../form.ts";
import { each, type Html, html, nothing } from "../html.ts";
import { type Choices, faultText, fieldBox, options } from "./field.ts";

/** A form as it is shown: what is in its fields and what is wrong with them. */
export type FormState = { typed: Typed; faults: Faults };

/** One field. `hint` stands between label and input; a fault of the form state beside it. */
export type Field = {
  name: string;
  label: string;
  hint?: string;
  required?: boolean;
  /** Shown, not editable; the value is not sent. */
  fixed?: boolean;
};

/** The list of what is wrong, each with a link to its field; nothing when all is well. */
export function errorSummary(faults: Faults): Html {
  const entries = Object.entries(faults);
  if (entries.length === 0) return nothing;
  return html`<div class="summary" tabindex="-1" data-focus>
    <div role="alert">
      <h2>There is a problem</h2>
      <ul>
        ${each(entries, ([name, text]) => html`<li><a href="#f-${name}">${text}</a></li>`)}
      </ul>
    </div>
  </div>`;
}

type TextField = Field & {
  type?: "text" | "email" | "url" | "number" | "tel" | "time";
  size?: "short" | "medium" | "long";
  list?: string;
  /** Of a code: the most characters that every sender can send. Scripts tell of more while it is typed. */
  longest?: number;
};

/**
 * A line of text. Types that browsers check stay `text` with an input mode, so that our own messages are seen; so does a broken
 * time, which a browser would not show. What may be below nought is no `number`: the keys that phones show for one have no minus.
 * No length is set: a browser would silently cut pasted text.
 */
export function textField(state: FormState, field: TextField): Html {
  const value = state.typed[field.name] ?? "";
  return wrap(
    state,
    field,
    html`<input
      id="f-${field.name}"
      name="${field.name}"
      type="${field.type === "time" && state.faults[field.name] === undefined ? "time" : "text"}"
      inputmode="${INPUT_MODES[field.type ?? "text"] ?? "text"}"
      class="${field.size ?? "medium"}"
      dir="auto"
      value="${value}"
      ${attribute("list", field.list)}
      ${attribute("data-longest", field.longest?.toString())}
      ${common(state, field)}
    />`,
  );
}

const INPUT_MODES: Record<string, string> = { email: "email", url: "url", number: "decimal", tel: "tel" };

/** Several lines of text. */
export function areaField(state: FormState, field: Field & { rows?: number }): Html {
  return wrap(
    state,
    field,
    html`<textarea id="f-${field.name}" name="${field.name}" rows="${field.rows ?? 4}" dir="auto" ${common(state, field)}>
${state.typed[field.name] ?? ""}</textarea>`,
  );
}

/** One of a list of values. */
export function choiceField(state: FormState, field: Field & { choices: Choices }): Html {
  const value = state.typed[field.name] ?? "";
  return wrap(
    state,
    field,
    html`<select id="f-${field.name}" name="${field.name}" ${common(state, field)}>
      ${options(field.choices, value)}
    </select>`,
  );
}

/** A box to tick; ticked is `on`. An empty hidden field before it tells an unticked box from one that was not sent. */
export function tickField(state: FormState, field: Field): Html {
  const ticked = ["on", "1", "true"].includes(state.typed[field.name] ?? "");
  return html`<div class="field tick">
    <input type="hidden" name="${field.name}" value="" />
    <input id="f-${field.name}" name="${field.name}" type="checkbox" value="on" ${flag("checked", ticked)} ${common(state, field)} />
    <label for="f-${field.name}">${field.label}</label>
    ${hint(field)} ${faultText(field.name, state.faults[field.name])}
  </div>`;
}

/** The hidden field that carries the form token. */
export function tokenField(token: string): Html {
  return html`<input type="hidden" name="_csrf" value="${token}" />`;
}

function wrap(state: FormState, field: Field, input: Html): Html {
  const fault = state.faults[field.name];
  return fieldBox(
    fault,
    html`<label for="f-${field.name}">${field.label}${field.required ? nothing : html` <span class="optional">(optional)</span>`}</label>
      ${hint(field)} ${faultText(field.name, fault)} ${input}`,
  );
}

function hint(field: Field): Html {
  return field.hint === undefined ? nothing : html`<p class="hint" id="h-${field.name}">${field.hint}</p>`;
}

function common(state: FormState, field: Field): Html {
  const refused = state.faults[field.name] !== undefined;
  const described = [field.hint === undefined ? "" : `h-${field.name}`, refused ? `e-${field.name}` : ""].filter(Boolean).join(" ");
  return html`${attribute("aria-describedby", described || undefined)} ${refused && html`aria-invalid="true"`}
  ${flag("readonly", field.fixed ?? false)}`;
}

/** Attribute names are written here, never taken from a hole. */
function attribute(name: "list" | "data-longest" | "aria-describedby", value: string | undefined): Html {
  if (value === undefined) return nothing;
  if (name === "list") return html`list="${value}"`;
  if (name === "data-longest") return html`data-longest="${value}"`;
  return html`aria-describedby="${value}"`;
}

function flag(name: "checked" | "readonly", on: boolean): Html {
  if (!on) return nothing;
  return name === "checked" ? html`checked` : html`readonly`;
}
