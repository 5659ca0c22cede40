import { IMPORT_KINDS, findKind } from "../../records/import/kinds.ts";
import type { Import } from "../../records/import/store.ts";
import type { Faults } from "../../web/form.ts";
import { mapHtml, type Html, html } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { type Column, columnTable } from "../../web/parts/column-table.ts";
import { errorSummary, faultAttributes, faultText, fieldBox, tokenField } from "../../web/parts/fields.ts";
import { isolateDirections } from "../../web/parts/isolate.ts";
import { relativeMoment } from "../../web/parts/moment.ts";
import { path, withQuery } from "../../web/path.ts";
import { STATE_LABELS } from "./words.ts";

const START_PATH = path`/tools/import`;

type StartView = { imports: readonly Import[]; token: string; text: string; faults: Faults };

export function startPage({ imports, token, text, faults }: StartView): Page {
  return {
    title: "Import",
    refused: Object.keys(faults).length > 0,
    lead: "Create and edit many properties, categories or rate plans from a spreadsheet. A preview shows every change first.",
    actions: html`<a class="button" href="${path`/tools`}">All tools</a> <a class="button" href="?format=json">JSON</a>`,
    main: html`${errorSummary(faults)} ${uploadForm({ token, text, faults })} ${startFiles}
      <section>
        <h2>Recent imports</h2>
        ${imports.length === 0 ? emptyNotice : columnTable({ label: "Recent imports", narrow: "stacked" }, IMPORT_COLUMNS, imports)}
      </section>`,
  };
}

function uploadForm({ token, text, faults }: Omit<StartView, "imports">): Html {
  return html`<form method="post" enctype="multipart/form-data">
    ${tokenField(token)}
    ${fieldBox(
      faults.file,
      html`<label for="f-file">File</label>
        <p class="hint" id="h-file">
          CSV with any delimiter, or a JSON export. The first row must contain the column names. Up to 100,000 rows and 200 MB.
        </p>
        ${faultText("file", faults.file)}
        <input id="f-file" name="file" type="file" accept=".csv,.tsv,.txt,.json" ${faultAttributes("file", faults.file)} />`,
    )}
    <details ${text === "" ? html`` : html`open`}>
      <summary>Paste rows instead</summary>
      <div class="field">
        <label for="f-text">Rows from a spreadsheet, including the column names</label>
        <textarea id="f-text" name="text" rows="8" class="code">${text}</textarea>
      </div>
    </details>
    <p class="actions"><button type="submit" class="primary" name="action" value="upload">Upload and preview</button></p>
  </form>`;
}

const startFiles = html`<section>
  <h2>Templates and current data</h2>
  <p>A template contains only the column names. To change existing records, download the current data, edit it and import it.</p>
  <ul>
    ${mapHtml(
      IMPORT_KINDS,
      ({ name, many }) =>
        html`<li>
          ${many.charAt(0).toUpperCase() + many.slice(1)}: <a href="${withQuery(START_PATH, { template: name })}">template</a>,
          <a href="${withQuery(START_PATH, { current: name })}">current data</a>
        </li>`,
    )}
  </ul>
</section>`;

const emptyNotice = html`<p class="empty">No imports yet. Upload a file to see its preview.</p>`;

const IMPORT_COLUMNS: readonly Column<Import>[] = [
  { head: "Import", cell: ({ id }) => html`<a href="${path`/tools/import/${id}`}">#${id}</a>` },
  { head: "Records", cell: ({ kind }) => findKind(kind)?.many },
  { head: "Source", cell: ({ name }) => name },
  { head: "State", narrow: "label", cell: ({ state }) => STATE_LABELS[state] },
  { head: "Uploaded by", narrow: "label", cell: ({ created_by: by }) => isolateDirections(by) },
  { head: "Uploaded", narrow: "label", class: "nowrap", cell: ({ created_at: at }) => relativeMoment(at) },
];
