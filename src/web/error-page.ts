import { isSecretName } from "../secrets/names.ts";
import type { TypedField } from "./form.ts";
import { mapHtml, type Html, html, emptyHtml } from "./html.ts";
import { findNavigationPosition } from "./navigation.ts";
import type { Page } from "./page.ts";
import { type FieldWords, fieldLabel, valueLabel } from "./parts/field-words.ts";
import { tokenField } from "./parts/fields.ts";
import { scrollTable } from "./parts/table.ts";
import { path } from "./path.ts";

/** `reloadsAfter` is in seconds. */
export type ShownError = {
  status: number;
  class: string;
  message: string | undefined;
  id: number | undefined;
  requestId: string;
  reloadsAfter?: number | undefined;
};

/**
 * The values of a form that was refused because of its token, to be submitted again. `files` lists its file fields, which a page can't fill
 * in.
 */
export type ResubmissionForm = {
  typed: readonly TypedField[];
  files: readonly string[];
  token: string;
  words: FieldWords;
  sender: "own" | "another site";
};

const STATUS_TITLES: Record<number, string> = {
  400: "Bad request",
  401: "Sign-in required",
  403: "Not allowed",
  404: "Not found",
  413: "Request too large",
  415: "Unsupported content type",
  429: "Too many attempts",
  503: "Temporarily unavailable",
};

export function errorPage(error: ShownError, target: string, refused: ResubmissionForm | undefined): Page {
  const place = findNavigationPosition(target);
  // The user may lack the role that the page requires.
  const entry = place?.page.role === undefined ? place?.page : place.section;
  return {
    title: STATUS_TITLES[error.status] ?? (error.status < 500 ? "Request refused" : "Something went wrong"),
    status: error.status,
    refused: true,
    main: html`<div class="notice bad">
        <p>${error.message ?? internalText(error, (id) => html`<a href="${path`/tools/errors/${id}`}">entry ${id}</a>`)}</p>
        ${error.reloadsAfter === undefined ? emptyHtml : html`<p>This page reloads in ${error.reloadsAfter} seconds.</p>`}
      </div>
      ${refused ? resubmissionForm(refused) : emptyHtml}
      <ul class="links">
        ${entry ? html`<li><a href="${entry.to ?? entry.at}">Go to ${entry.label}</a></li>` : emptyHtml}
        <li><a href="${path`/`}">Go to the home page</a></li>
      </ul>
      <dl class="facts">
        <dt>Status</dt>
        <dd>${error.status}</dd>
        <dt>Type</dt>
        <dd>${error.class}</dd>
        <dt>Request ID</dt>
        <dd><code>${error.requestId}</code></dd>
      </dl>`,
  };
}

export function errorXml(error: ShownError): string {
  const text = error.message ?? internalText(error, (id) => html`entry ${id}`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${html`<error status="${error.status}" class="${error.class}" request="${error.requestId}">${text}</error>`.text}\n`;
}

function internalText({ id, requestId }: ShownError, showEntry: (id: number) => Html): Html {
  const reference = id === undefined ? html`for request ${requestId}` : html`as ${showEntry(id)} in the error log`;
  return html`An internal error occurred. It was recorded ${reference}.`;
}

/** The fields are hidden if the form is from our own page. If it is from another site, the user sees every field. */
const INTERNAL_FIELDS = ["version", "seen", "action"];

const RESUBMISSION_REASONS = {
  own: "The page may have been open for too long, or your browser blocks cookies. Your input is kept below.",
  "another site": "Another site sent this form. Submit it only if you meant to send the values below.",
};

/** Has no `action`, so that browsers post it to the current URL, including the query. */
function resubmissionForm({ typed, files, token, words, sender }: ResubmissionForm): Html {
  const keptFields = typed.filter(([name]) => name !== "_csrf");
  const shownFields = keptFields.filter(([name, value]) => value !== "" && (sender !== "own" || !INTERNAL_FIELDS.includes(name)));
  const unsavedAttribute = sender === "own" && shownFields.length > 0 ? html`data-unsaved="typed"` : emptyHtml;
  return html`<form method="post" ${unsavedAttribute} ${files.length === 0 ? emptyHtml : html`enctype="multipart/form-data"`}>
    <p>${RESUBMISSION_REASONS[sender]}</p>
    ${tokenField(token)} ${mapHtml(keptFields, ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    ${
      shownFields.length === 0
        ? emptyHtml
        : scrollTable(
            { label: "Your input", heads: ["Field", "Value"], narrow: "stacked" },
            mapHtml(shownFields, (field) => typedRow(field, words)),
          )
    }
    ${mapHtml(files, (name) => fileField(name, fieldLabel(name, words)))}
    <p class="actions"><button type="submit">Submit again</button></p>
  </form>`;
}

/** Returns a file field. It is required, because the form would have a different meaning without the file. */
function fileField(name: string, label: string): Html {
  return html`<div class="field">
    <label for="f-${name}">${label}</label>
    <p class="hint" id="h-${name}">Files are not kept. Choose the file again.</p>
    <input id="f-${name}" name="${name}" type="file" required aria-describedby="h-${name}" />
  </div>`;
}

function typedRow([name, value]: TypedField, words: FieldWords): Html {
  return html`<tr>
    <th scope="row">${name === "action" ? "Action" : fieldLabel(name, words)}</th>
    <td class="long">${isSecretName(name) ? "(hidden)" : (valueLabel(name, value, words) ?? value)}</td>
  </tr>`;
}
