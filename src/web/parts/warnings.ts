import { each, type Html, html } from "../html.ts";

/** Notices about what is allowed but may give trouble. */
export function warnings(texts: readonly string[]): Html {
  return html`${each(texts, (text) => html`<p class="notice warn"><strong>Note:</strong> ${text}</p>`)}`;
}
