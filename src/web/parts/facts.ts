import { Html, html, nothing } from "../html.ts";

/** A line of a list of facts: a name and its value, a text with its lines; nothing where there is no value. */
export function fact(name: string, value: string | Html | null | undefined): Html {
  if (value === undefined || value === null || value === "") return nothing;
  return html`<dt>${name}</dt>
    ${value instanceof Html ? html`<dd>${value}</dd>` : html`<dd class="text">${value}</dd>`}`;
}
