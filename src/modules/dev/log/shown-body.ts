import { type Html, html, nothing, type Path } from "../../../web/html.ts";
import { amount } from "../../../web/parts/amount.ts";
import { prettyXml } from "./pretty-xml.ts";

/** Some thousand lines: more than anyone reads on a page, less than a browser is slow with. */
export const LONGEST_SHOWN = 100_000;

/** A body on a page: its document in lines, of a long one the beginning; `whole` answers the body as it came. */
export function shownBody(label: string, document: string, whole: Path | undefined): Html {
  if (document.trim() === "") return html`<p>Empty.</p>`;
  const text = prettyXml(document);
  return html`<pre tabindex="0" aria-label="${label}"><code>${text.slice(0, LONGEST_SHOWN)}</code></pre>
    ${text.length > LONGEST_SHOWN ? html`<p class="hint">The first ${amount(LONGEST_SHOWN)} characters.</p>` : nothing}
    ${whole === undefined ? nothing : html`<p><a href="${whole}">${label} as it came</a></p>`}`;
}
