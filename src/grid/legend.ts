import { each, type Html, html } from "../web/html.ts";

/** Something that a cell can show: the cell's classes, its content and the meaning. A tag stands for itself. */
export type Sign = { cell?: string; shows: Html; means: string };

/** Explains what the cells of a grid show. */
export function gridLegend(signs: readonly Sign[], hint: string): Html {
  return html`<section class="legend" aria-label="Legend">
    <h2>Legend</h2>
    <dl>${each(signs, signEntry)}</dl>
    <p class="hint">${hint}</p>
  </section>`;
}

/** The sign of a tag. */
export function tagSign(code: string, means: string): Sign {
  return { shows: html`<i>${code}</i>`, means };
}

function signEntry({ cell, shows, means }: Sign): Html {
  const sample = cell === undefined ? html`<dt>${shows}</dt>` : html`<dt class="sample ${cell}">${shows}</dt>`;
  return html`<div>
    ${sample}
    <dd>${means}</dd>
  </div>`;
}
