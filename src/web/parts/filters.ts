import { each, type Html, html, nothing, type Path } from "../html.ts";
import { faultMarks, faultText, fieldBox, select } from "./field.ts";
import type { FormState } from "./fields.ts";
import { fold } from "./fold.ts";

/** What a list is narrowed by: the text that is searched for in it, a value that is typed, or one of the `choices`. */
export type Filter = { name: string; label: string; example?: string; choices?: readonly string[] };

/** The filters as a form of one line; `kept` goes along with them, `all` leads to the list without them. */
type FilterForm = { filters: readonly Filter[]; kept?: Html; all: Path };

export function filterForm(state: FormState, { filters, kept = nothing, all }: FilterForm): Html {
  const set = filters.filter(({ name }) => state.typed[name]);
  const words = each(
    set,
    ({ name, label }, index) => html`${index === 0 ? ": " : ", "}${label.toLowerCase()} <b>${state.typed[name]!}</b>`,
  );
  return fold(
    { summary: html`Filter${words}`, open: Object.keys(state.faults).length > 0 },
    html`<form class="filters" method="get" role="search">
      ${kept} ${each(filters, (filter) => filterField(state, filter))}
      <div><button type="submit">Filter</button> ${set.length === 0 ? nothing : html`<a href="${all}">Show all</a>`}</div>
    </form>`,
  );
}

function filterField(state: FormState, filter: Filter): Html {
  const { name, label } = filter;
  if (name === "q") return searchFilter(state, filter);
  const input = filter.choices === undefined ? textFilter(state, filter) : choiceFilter(state, name, filter.choices);
  const fault = state.faults[name];
  return fieldBox(fault, html`<label for="f-${name}">${label}</label> ${faultText(name, fault)} ${input}`);
}

function searchFilter({ typed }: FormState, { name, label, example = "" }: Filter): Html {
  return html`<div>
    <label for="f-${name}">${label}</label
    ><input id="f-${name}" name="${name}" type="search" value="${typed[name] ?? ""}" placeholder="${example}" />
  </div>`;
}

/** A broken value stays in it, with the fault beside it. */
function textFilter({ typed, faults }: FormState, { name, example = "" }: Filter): Html {
  return html`<input
    id="f-${name}"
    name="${name}"
    type="text"
    class="short"
    value="${typed[name] ?? ""}"
    placeholder="${example}"
    ${faultMarks(name, faults[name])}
  />`;
}

/** A value that is none of the choices is kept. */
function choiceFilter({ typed, faults }: FormState, name: string, choices: readonly string[]): Html {
  const value = typed[name] ?? "";
  const all = value === "" || choices.includes(value) ? choices : [...choices, value];
  return select(name, { value, choices: [["", "any"], ...all.map((one) => [one, one] as const)], fault: faults[name] });
}
