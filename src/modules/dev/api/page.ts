import { mapHtml, type Html, html, emptyHtml } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { columnTable } from "../../../web/parts/column-table.ts";
import { path } from "../../../web/path.ts";
import type { Operation } from "./operations.ts";

export const API = path`/dev/docs/api`;
const DOCUMENT_PATH = path`/dev/docs/openapi.json`;

export function apiPage(operations: readonly Operation[]): Page {
  return {
    title: "API",
    lead: "All endpoints that accept API tokens. Send the token in an Authorization: Bearer header. Errors are problem details (RFC 9457).",
    actions: html`<a class="button" href="${DOCUMENT_PATH}">OpenAPI</a>`,
    main: html`<nav class="crumbs" aria-label="Breadcrumbs"><a href="${path`/dev/docs`}">Documentation</a></nav>
      ${columnTable(
        { label: "Operations", narrow: "stacked" },
        [
          { head: "Operation", cell: ({ id, summary }: Operation) => html`<a href="#${id}">${summary}</a>` },
          { head: "Method", narrow: "label", cell: ({ method }) => method.toUpperCase() },
          { head: "Path", narrow: "label", cell: ({ path: route }) => route },
          { head: "Scope", narrow: "label", cell: ({ scope }) => html`<code>${scope}</code>` },
        ],
        operations,
      )}
      ${mapHtml(operations, operationSection)}`,
  };
}

function operationSection({ id, summary, method, path: address, query = {}, form, response }: Operation): Html {
  const parameters = Object.entries(query);
  const fields = form && "shape" in form ? Object.keys(form.shape as object) : [];
  return html`<section class="panel" id="${id}">
    <h2>${summary}</h2>
    <p><code>${method.toUpperCase()} ${address}</code></p>
    ${parameters.length === 0 ? emptyHtml : parameterTable(summary, parameters)}
    ${fields.length === 0 ? emptyHtml : html`<p>Form fields: ${fields.join(", ")}.</p>`}
    ${response ? emptyHtml : html`<p>The response has status 303, and its Location header points to the record.</p>`}
  </section>`;
}

type ApiParameter = [name: string, schema: { description?: string | undefined }];

function parameterTable(summary: string, parameters: readonly ApiParameter[]): Html {
  return columnTable(
    { label: `Parameters: ${summary}`, narrow: "stacked" },
    [
      { head: "Parameter", cell: ([name]: ApiParameter) => html`<code>${name}</code>` },
      { head: "Meaning", narrow: "label", cell: ([, { description }]) => description ?? "" },
    ],
    parameters,
  );
}
