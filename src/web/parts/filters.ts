import type { Typed } from "../form.ts";
import { each, type Html, html, nothing, type Path } from "../html.ts";
import { faultMarks, faultText, fieldBox, option } from "./field.ts";
import type { FormState } from "./fields.ts";
import { fold } from "./fold.ts";

/** What a list is narrowed by, as a form of one line; `names` are its filters, `fields` their inputs, `all` leads to the list without them. */
type FilterForm = { names: readonly string[]; fields: Html; all: Path };

export function filterForm({ typed, faults }: FormState, { names, fields, all }: FilterForm): Html {
  const set = names.filter((name) => typed[name]).map((name) => html`${name === "q" ? "search" : name} <b>${typed[name]!}</b>`);
  return fold(
    { summary: html`Filter${each(set, (one, index) => html`${index === 0 ? ": " : ", "}${one}`)}`, open: Object.keys(faults).length > 0 },
    html`<form class="filters" method="get" role="search">
      ${fields}
      <div><button type="submit">Filter</button> ${set.length === 0 ? nothing : html`<a href="${all}">Show all</a>`}</div>
    </form>`,
  );
}

type Filter = { name: string; label: string; example?: string };

/** The text that is searched for. */
export function searchFilter({ typed }: { typed: Typed }, { name, label, example = "" }: Filter): Html {
  return html`<div>
    <label for="f-${name}">${label}</label
    ><input id="f-${name}" name="${name}" type="search" value="${typed[name] ?? ""}" placeholder="${example}" />
  </div>`;
}

/** A typed filter; a broken value stays in it, with the fault beside it. */
export function textFilter(state: FormState, { name, label, example = "" }: Filter): Html {
  return wrap(
    state,
    { name, label },
    html`<input
      id="f-${name}"
      name="${name}"
      type="text"
      class="short"
      value="${state.typed[name] ?? ""}"
      placeholder="${example}"
      ${faultMarks(name, state.faults[name])}
    />`,
  );
}

/** A filter that is chosen from a list; a value that the list does not have is kept. */
export function choiceFilter(state: FormState, { name, label, choices }: Filter & { choices: readonly string[] }): Html {
  const value = state.typed[name] ?? "";
  const all = value === "" || choices.includes(value) ? choices : [...choices, value];
  return wrap(
    state,
    { name, label },
    html`<select id="f-${name}" name="${name}" ${faultMarks(name, state.faults[name])}>
      <option value="">any</option>
      ${each(all, (one) => option(one, one, one === value))}
    </select>`,
  );
}

function wrap({ faults }: FormState, { name, label }: Filter, input: Html): Html {
  return fieldBox(faults[name], html`<label for="f-${name}">${label}</label> ${faultText(name, faults[name])} ${input}`);
}
