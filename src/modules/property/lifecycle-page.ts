import type { Property } from "../../records/property/property.ts";
import { type Html, html } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import type { FieldWords } from "../../web/parts/field-words.ts";
import { errorSummary, type FormState, textField, tokenField } from "../../web/parts/fields.ts";
import { path } from "../../web/path.ts";

export const LIFECYCLE_WORDS: FieldWords = { labels: { code: "Code", name: "Name", confirm: "Property code" }, choices: {} };

export const withoutPropertyPage: Page = {
  title: "Duplicate, archive or delete",
  main: html`<p class="empty">No property selected. <a href="${path`/property`}">Choose a property</a></p>`,
};

type LifecycleView = { property: Property; state: FormState; token: string; mayDelete: boolean };

export function lifecyclePage({ property, state, token, mayDelete }: LifecycleView): Page {
  const isArchived = property.status === "archived";
  return {
    title: "Duplicate, archive or delete",
    subject: property.name,
    refused: Object.keys(state.faults).length > 0,
    actions: html`<a class="button" href="${path`/property/${property.code}`}">Overview</a>`,
    main: html`${errorSummary(state.faults)} ${duplicateSection(property, state, token)}
    ${isArchived ? restoreSection(token) : archiveSection(token)} ${deleteSection({ property, state, token, mayDelete })}`,
  };
}

function duplicateSection({ name }: Property, state: FormState, token: string): Html {
  const typed = { name: `${name} (copy)`, ...state.typed };
  return html`<section aria-labelledby="duplicate">
    <h2 id="duplicate">Duplicate</h2>
    <p>Creates a property with the same details, categories and rate plans. Nights, history and connections are not copied.</p>
    <form method="post">
      ${tokenField(token)}
      <div class="fields">
        ${textField({ ...state, typed }, { name: "code", label: "Code", required: true, hint: "Code of the new property." })}
        ${textField({ ...state, typed }, { name: "name", label: "Name", required: true })}
      </div>
      <p class="actions"><button type="submit" name="action" value="duplicate">Duplicate</button></p>
    </form>
  </section>`;
}

function archiveSection(token: string): Html {
  return html`<section aria-labelledby="archive">
    <h2 id="archive">Archive</h2>
    <p>
      Hides the property from lists, the portfolio and search, takes it off sale, and refuses its messages. All data is kept. You can
      restore it at any time.
    </p>
    ${statusForm(token, "archive", "Archive")}
  </section>`;
}

function restoreSection(token: string): Html {
  return html`<section aria-labelledby="restore">
    <h2 id="restore">Restore</h2>
    <p>Shows the property again, with the status that it had before it was archived.</p>
    ${statusForm(token, "restore", "Restore")}
  </section>`;
}

function statusForm(token: string, action: string, label: string): Html {
  return html`<form method="post">
    ${tokenField(token)}
    <p class="actions"><button type="submit" class="plain" name="action" value="${action}">${label}</button></p>
  </form>`;
}

function deleteSection({ property: { code, status }, state, token, mayDelete }: LifecycleView): Html {
  const form = html`<form method="post">
    ${tokenField(token)}
    ${textField({ typed: {}, faults: state.faults }, { name: "confirm", label: "Property code", required: true, size: "short", hint: `Enter ${code} to confirm.` })}
    <p class="actions"><button type="submit" class="danger" name="action" value="delete">Delete ${code}</button></p>
  </form>`;
  const deleteHint = mayDelete ? "Archive the property first." : "Only an administrator can delete a property.";
  return html`<section aria-labelledby="delete">
    <h2 id="delete">Delete permanently</h2>
    <p>
      Deletes the property with its categories, rate plans, nights and messages, and removes it from connections and alert rules. Entries in
      the audit log are kept. This cannot be undone.
    </p>
    ${mayDelete && status === "archived" ? form : html`<p class="muted">${deleteHint}</p>`}
  </section>`;
}
