import { isSecretName } from "../secrets/names.ts";
import type { TypedField } from "./form.ts";
import { each, type Html, html, nothing } from "./html.ts";
import { entryAbove } from "./layout.ts";
import type { Page } from "./page.ts";
import { chosenWords, type FieldWords, labelOf } from "./parts/field-words.ts";
import { tokenField } from "./parts/fields.ts";
import { scrollTable } from "./parts/table.ts";
import { path } from "./path.ts";

/** What a client is told of an error; without `message` it is ours, and `id` finds it in the error log. */
export type ShownError = { status: number; class: string; message: string | undefined; id: number | undefined; requestId: string };

/**
 * A form refused for its token, with the typed values, so that nothing is lost, and the names of `files`, which no form can give back; `words`
 * are those of the form, `sender` is who sent it.
 */
export type SubmitAgain = {
  typed: readonly TypedField[];
  files: readonly string[];
  token: string;
  words: FieldWords;
  sender: "own" | "another site";
};

const TITLES: Record<number, string> = {
  400: "The request cannot be read",
  401: "A credential is required",
  403: "Not allowed",
  404: "Not found",
  413: "Too large",
  415: "Not a supported type",
  429: "Too many tries",
  503: "Not available just now",
};

/** The page of an error at a path; `again` is the refused form, to send once more. */
export function errorPage(error: ShownError, target: string, again: SubmitAgain | undefined): Page {
  const above = entryAbove(target);
  return {
    section: above?.section,
    title: TITLES[error.status] ?? (error.status < 500 ? "The request was refused" : "Something went wrong"),
    status: error.status,
    refused: true,
    main: html`<div class="notice bad"><p>${error.message ?? ourFault(error, entryLink)}</p></div>
      ${again ? submitAgain(again) : nothing}
      <ul class="links">
        ${above ? html`<li><a href="${above.to}">Go to ${above.label}</a></li>` : nothing}
        <li><a href="${path`/`}">Go to the home page</a></li>
      </ul>
      <dl class="facts">
        <dt>Status</dt>
        <dd>${error.status}</dd>
        <dt>Kind</dt>
        <dd>${error.class}</dd>
        <dt>Request</dt>
        <dd><code>${error.requestId}</code></dd>
      </dl>`,
  };
}

/** `entry` names the one of the error log. */
function ourFault({ id, requestId }: ShownError, entry: (id: number) => Html): Html {
  const where = id === undefined ? html`for request ${requestId}` : html`as ${entry(id)} of the error log`;
  return html`The service could not answer. The error was recorded ${where}.`;
}

function entryName(id: number): Html {
  return html`entry ${id}`;
}

function entryLink(id: number): Html {
  return html`<a href="${path`/tools/errors/${id}`}">${entryName(id)}</a>`;
}

/** Fields that a form of ours keeps for itself. Of one of another site everything is shown. */
const UNSEEN = ["version", "seen", "action"];

const WHY = {
  own: "The page may have been open for too long, or the browser keeps no cookies of this one. What you typed is kept below.",
  "another site": "Another site sent this form, no page of this service. Submit it again only if you meant what stands below.",
};

/** Without an action a form goes to the address of its page: the one that this was posted to, as the browser knows it. */
function submitAgain({ typed, files, token, words, sender }: SubmitAgain): Html {
  const kept = typed.filter(([name]) => name !== "_csrf");
  const seen = kept.filter(([name, value]) => value !== "" && (sender !== "own" || !UNSEEN.includes(name)));
  const unsaved = sender === "own" && seen.length > 0 ? html`data-unsaved="typed"` : nothing;
  return html`<form method="post" ${unsaved} ${files.length === 0 ? nothing : html`enctype="multipart/form-data"`}>
    <p>${WHY[sender]}</p>
    ${tokenField(token)} ${each(kept, ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    ${
      seen.length === 0
        ? nothing
        : scrollTable(
            { label: "What you typed", heads: ["Field", "Typed"], narrow: "stacked" },
            each(seen, (row) => typedRow(row, words)),
          )
    }
    ${each(files, (name) => fileBox(name, labelOf(name, words)))}
    <p class="actions"><button type="submit">Submit again</button></p>
  </form>`;
}

/** Without its file the form would ask for something else. */
function fileBox(name: string, label: string): Html {
  return html`<div class="field">
    <label for="f-${name}">${label}</label>
    <p class="hint" id="h-${name}">A file is not kept: choose it again.</p>
    <input id="f-${name}" name="${name}" type="file" required aria-describedby="h-${name}" />
  </div>`;
}

function typedRow([name, value]: TypedField, words: FieldWords): Html {
  return html`<tr>
    <th scope="row">${name === "action" ? "What it does" : labelOf(name, words)}</th>
    <td class="long">${isSecretName(name) ? "(not shown)" : (chosenWords(name, value, words) ?? value)}</td>
  </tr>`;
}

/** The same as XML. */
export function errorXml(error: ShownError): string {
  const text = error.message ?? ourFault(error, entryName);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${html`<error status="${error.status}" class="${error.class}" request="${error.requestId}">${text}</error>`.text}\n`;
}
