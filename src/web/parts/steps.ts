import { type Html, html, nothing, type Path } from "../html.ts";

type Step = { label: string; to: Path };
type Steps = { first: Step | false; next: Step | false; note?: Html };

/** Links of a list whose pages are found by what they follow, never counted, so that the last one costs what the first does. */
export function steps({ first, next, note = nothing }: Steps): Html {
  return html`<nav class="pager" aria-label="Pages">
    ${note}
    <ul>
      ${first && html`<li><a href="${first.to}">${first.label}</a></li>`}
      ${next && html`<li><a href="${next.to}" rel="next">${next.label}</a></li>`}
    </ul>
  </nav>`;
}
