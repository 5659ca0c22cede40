import { type Html, html } from "../html.ts";

/** Formats the parts of a string that are in backticks as code. */
export function inlineCode(text: string): Html {
  return html`${text.split("`").map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))}`;
}
