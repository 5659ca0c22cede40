import { type Html, html } from "../html.ts";

/** Marks content for users who may act on the page, such as a button. Must not be nested. */
export function ifAllowed(content: Html): Html {
  return html`<!--action-->${content}<!--/action-->`;
}

/** Removes what `ifAllowed` marked. Escaped text cannot contain the marks. */
export function withoutActions(document: string): string {
  return document.replaceAll(/<!--action-->.*?<!--\/action-->/gs, "");
}
