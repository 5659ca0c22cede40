import { type Html, html } from "../html.ts";

/** Shows the parts of a text that are in backticks as code. */
export function inlineCode(text: string): Html {
  return html`${text.split("`").map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))}`;
}
