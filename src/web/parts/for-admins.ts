import { type Html, html } from "../html.ts";

/** What only administrators can use, such as a button: `withoutActions` takes it out of the page of a viewer. Not one in another. */
export function forAdmins(content: Html): Html {
  return html`<!--admin-->${content}<!--/admin-->`;
}

/** A document without what is for administrators. Text of others has no such marks: it is escaped. */
export function withoutActions(document: string): string {
  return document.replaceAll(/<!--admin-->.*?<!--\/admin-->/gs, "");
}
