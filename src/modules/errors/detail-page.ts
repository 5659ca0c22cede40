import { each, type Html, html, nothing } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { path, withQuery } from "../../web/path.ts";
import type { ErrorEntry } from "./entry.ts";
import { entryTable } from "./list-page.ts";
import { errorAsMarkdown } from "./markdown.ts";
import { type Section, sectionsOf } from "./sections.ts";
import { LIST } from "./view-page.ts";

/** One entry: its row, the sections of the specification in their order, then what else is known. */
export function errorDetailPage(entry: ErrorEntry, excerpt: string | undefined): Page {
  const itself = path`/tools/errors/${entry.id}`;
  const sections = sectionsOf(entry, excerpt);
  return {
    title: entry.class,
    section: "tools",
    wide: true,
    actions: html`<a class="button" href="${LIST}">Error log</a>
      <a class="button" href="${withQuery(LIST, { class: entry.class })}">All of this class</a>
      <a class="button" href="${withQuery(itself, { format: "json" })}">JSON</a>
      <a class="button" href="${withQuery(itself, { format: "markdown" })}">Markdown</a>
      <button type="button" data-copy="as-markdown">Copy as Markdown</button>`,
    main: html`${entryTable([entry], "plain")} ${each(sections, sectionOf)}
      <details>
        <summary>This page as Markdown</summary>
        <pre id="as-markdown" tabindex="0">${errorAsMarkdown(entry, sections)}</pre>
      </details>`,
  };
}

function sectionOf({ title, note, text }: Section, index: number): Html {
  return html`<section aria-labelledby="s-${index}">
    <h2 id="s-${index}">${title}</h2>
    ${note === undefined ? nothing : html`<p class="hint">${note}</p>`}
    <pre tabindex="0">${text}</pre>
  </section>`;
}
