import { type Html, html } from "../html.ts";

/** Marks content that viewers do not see, such as a button. Must not be nested. */
export function forAdmins(content: Html): Html {
  return html`<!--admin-->${content}<!--/admin-->`;
}

/** Removes what `forAdmins` marked. Escaped text cannot contain the marks. */
export function withoutActions(document: string): string {
  return document.replaceAll(/<!--admin-->.*?<!--\/admin-->/gs, "");
}
