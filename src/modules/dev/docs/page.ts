import { mapHtml, type Html, html, emptyHtml } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { path } from "../../../web/path.ts";
import { API } from "../api/page.ts";
import type { RenderedDocument, DocumentSection } from "./document.ts";
import { sectionPath } from "./documents.ts";

type ListedDocument = { name: string; about: string; document: RenderedDocument };

export function contentsPage(documents: readonly ListedDocument[]): Page {
  return {
    title: "Documentation",
    main: html`<section class="panel">
        <h2><a href="${API}">API</a></h2>
        <p>For programs with a token: all endpoints with their parameters and responses.</p>
      </section>
      ${mapHtml(
        documents,
        ({ name, about, document }) =>
          html`<section class="panel">
            <h2><a href="${sectionPath(name, "")}">${document.title}</a></h2>
            <p>${about}</p>
          </section>`,
      )}`,
  };
}

type SectionView = { name: string; document: RenderedDocument; section: DocumentSection };

export function sectionPage({ name, document, section }: SectionView): Page {
  return {
    title: section.title,
    wide: true,
    main: html`<nav class="crumbs" aria-label="Breadcrumbs">
        <a href="${path`/dev/docs`}">Documentation</a
        >${section.anchor === "" ? emptyHtml : html` / <a href="${sectionPath(name, "")}">${document.title}</a>`}
      </nav>
      <div class="docs">
        ${contentsNav(name, document, section)}
        <article class="prose">${section.body}${neighbourLinks(name, document, section)}</article>
      </div>`,
  };
}

function contentsNav(name: string, { sections }: RenderedDocument, current: DocumentSection): Html {
  return html`<nav aria-label="Contents">
    <details class="contents" ${current.anchor === "" ? html`open` : emptyHtml}>
      <summary>Contents</summary>
      <ul>
        ${mapHtml(
          sections.filter(({ anchor }) => anchor !== ""),
          (section) =>
            html`<li>
              <a href="${sectionPath(name, section.anchor)}" ${section === current ? html`aria-current="page"` : emptyHtml}
                >${section.title}</a
              >
            </li>`,
        )}
      </ul>
    </details>
  </nav>`;
}

function neighbourLinks(name: string, { sections }: RenderedDocument, current: DocumentSection): Html {
  const index = sections.indexOf(current);
  const [previous, next] = [sections[index - 1], sections[index + 1]];
  return html`<nav class="neighbours" aria-label="Previous and next">
    ${previous ? html`<a rel="prev" href="${sectionPath(name, previous.anchor)}">Previous: ${previous.title}</a>` : emptyHtml}
    ${next ? html`<a rel="next" href="${sectionPath(name, next.anchor)}">Next: ${next.title}</a>` : emptyHtml}
  </nav>`;
}
