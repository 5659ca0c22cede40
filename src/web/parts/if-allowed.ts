import { type Html, html } from "../html.ts";

/** Marks content that is shown only to users whose role allows changes, such as a button. Must not be nested. */
export function ifAllowed(content: Html): Html {
  return html`<!--action-->${content}<!--/action-->`;
}

/** Removes content marked by `ifAllowed`. Escaped text can't contain the marks. */
export function withoutActions(document: string): string {
  return document.replaceAll(/<!--action-->.*?<!--\/action-->/gs, "");
}
