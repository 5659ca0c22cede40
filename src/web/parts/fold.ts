import { type Html, html, nothing } from "../html.ts";

/** A page's query in a few words, with its form behind them. `open`: something in the form is wrong. */
export type Fold = { summary: Html; open: boolean };

/** A form that a phone shows folded behind its summary, so that what it narrows is seen at once; wider screens show it as it is. */
export function fold({ summary, open }: Fold, form: Html): Html {
  return html`<details class="fold" ${open ? html`open` : nothing}>
    <summary>${summary}</summary>
    ${form}
  </details>`;
}
