import { mapHtml, type Html, html, emptyHtml, type Path } from "../html.ts";
import { faultAttributes, faultText, fieldBox, type FormState, selectBox } from "./fields.ts";

/** Rarely used filters are hidden under “More”, unless one of them is in use. */
export type ListFilterField = { name: string; label: string; example?: string; choices?: readonly string[]; isRare?: boolean };

type FilterForm = { filters: readonly ListFilterField[]; kept?: Html; all: Path };

export function filterForm(state: FormState, { filters, kept = emptyHtml, all }: FilterForm): Html {
  const activeFilters = filters.filter(({ name }) => state.typed[name]);
  const summary = mapHtml(
    activeFilters,
    ({ name, label }, index) => html`${index === 0 ? ": " : ", "}${label.toLowerCase()} <b>${state.typed[name]!}</b>`,
  );
  return foldedForm(
    { summary: html`Filter${summary}`, open: Object.keys(state.faults).length > 0 },
    html`<form class="filters" method="get" role="search">
      ${kept}
      ${mapHtml(
        filters.filter(({ isRare }) => isRare !== true),
        (filter) => filterField(state, filter),
      )}
      <div><button type="submit">Filter</button> ${activeFilters.length === 0 ? emptyHtml : html`<a href="${all}">Show all</a>`}</div>
      ${rareFilters(
        state,
        filters.filter(({ isRare }) => isRare === true),
      )}
    </form>`,
  );
}

function rareFilters(state: FormState, filters: readonly ListFilterField[]): Html {
  if (filters.length === 0) return emptyHtml;
  const isUsed = filters.some(({ name }) => state.typed[name]);
  return html`<details class="more" ${isUsed ? html`open` : emptyHtml}>
    <summary>More</summary>
    <div>${mapHtml(filters, (filter) => filterField(state, filter))}</div>
  </details>`;
}

/** Collapses a form behind a summary on phones, so that the list below it is visible. Wider screens always show the form. */
export function foldedForm({ summary, open }: { summary: Html; open: boolean }, form: Html): Html {
  return html`<details class="fold" ${open ? html`open` : emptyHtml}>
    <summary>${summary}</summary>
    ${form}
  </details>`;
}

function filterField({ typed, faults }: FormState, { name, label, choices, example = "" }: ListFilterField): Html {
  const [value, fault] = [typed[name] ?? "", faults[name]];
  if (name === "q")
    return html`<div>
      <label for="f-q">${label}</label><input id="f-q" name="q" type="search" value="${value}" placeholder="${example}" />
    </div>`;
  if (choices === undefined) {
    const input = html`<input
      id="f-${name}"
      name="${name}"
      type="text"
      class="${example.startsWith("YYYY") ? "when" : "short"}"
      value="${value}"
      placeholder="${example}"
      ${faultAttributes(name, fault)}
    />`;
    return fieldBox(fault, html`<label for="f-${name}">${label}</label> ${faultText(name, fault)} ${input}`);
  }
  const all = value === "" || choices.includes(value) ? choices : [...choices, value];
  return selectBox(name, label, { value, choices: [["", "any"], ...all.map((one) => [one, one] as const)], fault });
}
