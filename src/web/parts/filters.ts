import { each, type Html, html, nothing, type Path } from "../html.ts";
import { faultAttributes, faultText, fieldBox, type FormState, select } from "./fields.ts";

/** A filter of a list: search text (if its name is `q`), a typed value, or one of `choices`. */
export type Filter = { name: string; label: string; example?: string; choices?: readonly string[] };

/** `kept`: hidden fields; `all`: the list without filters. */
type FilterForm = { filters: readonly Filter[]; kept?: Html; all: Path };

export function filterForm(state: FormState, { filters, kept = nothing, all }: FilterForm): Html {
  const active = filters.filter(({ name }) => state.typed[name]);
  const summary = each(
    active,
    ({ name, label }, index) => html`${index === 0 ? ": " : ", "}${label.toLowerCase()} <b>${state.typed[name]!}</b>`,
  );
  return fold(
    { summary: html`Filter${summary}`, open: Object.keys(state.faults).length > 0 },
    html`<form class="filters" method="get" role="search">
      ${kept} ${each(filters, (filter) => filterField(state, filter))}
      <div><button type="submit">Filter</button> ${active.length === 0 ? nothing : html`<a href="${all}">Show all</a>`}</div>
    </form>`,
  );
}

/** Collapses a form behind a summary on phones, so that its list is in view. Wider screens show the form only. */
export function fold({ summary, open }: { summary: Html; open: boolean }, form: Html): Html {
  return html`<details class="fold" ${open ? html`open` : nothing}>
    <summary>${summary}</summary>
    ${form}
  </details>`;
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

function textFilter({ typed, faults }: FormState, { name, example = "" }: Filter): Html {
  return html`<input
    id="f-${name}"
    name="${name}"
    type="text"
    class="short"
    value="${typed[name] ?? ""}"
    placeholder="${example}"
    ${faultAttributes(name, faults[name])}
  />`;
}

/** Keeps a value that is not one of the choices. */
function choiceFilter({ typed, faults }: FormState, name: string, choices: readonly string[]): Html {
  const value = typed[name] ?? "";
  const all = value === "" || choices.includes(value) ? choices : [...choices, value];
  return select(name, { value, choices: [["", "any"], ...all.map((one) => [one, one] as const)], fault: faults[name] });
}
