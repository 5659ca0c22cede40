import type { ImportKind } from "../../records/import/kinds.ts";
import type { OutcomeCounts, Import } from "../../records/import/store.ts";
import { type Html, html, emptyHtml } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { formatNumber, formatCount } from "../../web/parts/amount.ts";
import { tokenField } from "../../web/parts/fields.ts";
import { byActor } from "../../web/parts/history.ts";
import { momentHtml } from "../../web/parts/moment.ts";
import { path, withQuery } from "../../web/path.ts";
import { isReadOnly } from "./columns.ts";
import type { ImportView } from "./import-view.ts";
import { lineTable } from "./line-table.ts";
import { describeFile, STATE_LABELS } from "./words.ts";

export function importPage(view: ImportView): Page {
  return {
    title: importTitle(view),
    actions: html`<a class="button" href="${path`/tools/import`}">All imports</a> <a class="button" href="?format=json">JSON</a>`,
    main: stateContent(view),
  };
}

function stateContent(view: ImportView): Html {
  const { state, fault } = view.file;
  if (state === "uploading") return uploadingSection(view);
  if (state === "reading" || state === "importing" || state === "undoing") return progressSection(view);
  return html`${fault === null ? emptyHtml : html`<p class="notice bad" role="alert">${fault}</p>`} ${summarySection(view)}
  ${lineTable(view)}`;
}

function importTitle({ file }: ImportView): string {
  return `Import #${file.id}: ${STATE_LABELS[file.state].toLowerCase()}`;
}

/** Shows the progress of a step. The `Refresh` header reloads the page every second, even without scripts. */
function progressSection({ file, counts, kind, progress }: ImportView): Html {
  const total = file.state === "reading" ? undefined : counts.new + counts.changed;
  const progressText =
    progress === undefined ? "" : `${formatNumber(progress)}${total === undefined ? "" : ` of ${formatNumber(total)}`} rows`;
  return html`<div role="status">
      <p>${STATE_LABELS[file.state]} ${kind.many}… ${progressText}</p>
      ${total === undefined || progress === undefined ? emptyHtml : html`<progress max="${total}" value="${progress}" aria-label="Rows">${progressText}</progress>`}
    </div>
    <p class="hint">You can leave this page. Other users see no changes until this step is complete.</p>
    <p><a href="${path`/tools/import/${file.id}`}">Refresh</a></p>`;
}

function summarySection(view: ImportView): Html {
  const { file, token } = view;
  return html`<p class="hint">
      ${describeFile(file)}. Uploaded ${momentHtml(file.created_at)} ${byActor(file.created_by)}.${ignoredColumns(file)}
    </p>
    ${historySection(file)} ${previewNotice(view)}
    <form method="post" action="${path`/tools/import/${file.id}`}">${tokenField(token)} ${actionButtons(view)}</form>`;
}

function ignoredColumns({ header, columns }: Import): Html {
  const titles = header.filter((title, index) => title !== "" && columns[index] === null && !isReadOnly(title));
  return titles.length === 0 ? emptyHtml : html` Ignored columns: ${titles.join(", ")}.`;
}

/** Shows an incomplete upload. An import stays in this state if the service stops during the upload. */
function uploadingSection({ file, token }: ImportView): Html {
  return html`<p class="notice warn">This file hasn't finished uploading. Refresh the page, or discard the file and upload it again.</p>
    <form method="post" action="${path`/tools/import/${file.id}`}">
      ${tokenField(token)}
      <p class="actions"><button type="submit" class="danger" name="action" value="discard">Discard</button></p>
    </form>`;
}

function historySection({ finished_at: finishedAt, finished_by: finishedBy, undone_at: undoneAt, undone_by: undoneBy }: Import): Html {
  if (finishedAt === null) return emptyHtml;
  return html`<p>
    Imported ${momentHtml(finishedAt)} ${byActor(finishedBy ?? "")}.
    ${undoneAt === null ? emptyHtml : html`Undone ${momentHtml(undoneAt)} ${byActor(undoneBy ?? "")}.`}
  </p>`;
}

function previewNotice({ file, counts, kind }: ImportView): Html {
  const changes = counts.new + counts.changed;
  if (file.state !== "ready") return emptyHtml;
  if (counts.fault > 0)
    return html`<p class="notice bad" role="status">
      <strong>${formatCount(counts.fault, "row")} can’t be imported.</strong> Correct the file and upload it again. No rows are imported
      until then.
    </p>`;
  if (changes === 0) return html`<p class="notice" role="status">No changes to import. Every row matches the stored ${kind.one}.</p>`;
  return html`<p class="notice good" role="status">
    ${describeChanges(counts, kind)}. ${counts.unchanged === 0 ? emptyHtml : `${formatCount(counts.unchanged, "row")} unchanged. `}Nothing
    is stored yet.
  </p>`;
}

/** Returns text such as `300 new properties and 2 changed properties`. */
export function describeChanges(counts: OutcomeCounts, { one, many }: ImportKind): string {
  const parts = [
    counts.new > 0 && formatCount(counts.new, `new ${one}`, `new ${many}`),
    counts.changed > 0 && formatCount(counts.changed, `changed ${one}`, `changed ${many}`),
  ];
  return parts.filter(Boolean).join(" and ");
}

function actionButtons({ file, counts, kind }: ImportView): Html {
  const changes = counts.new + counts.changed;
  if (file.state === "done")
    return html`<p class="actions">
      <a class="button primary" href="${kind.name === "category" ? path`/category` : path`/property`}">View ${kind.many}</a>
      <button type="submit" class="danger" name="action" value="undo">Undo the import</button>
      <span class="hint"
        >Deletes the new ${kind.many} and restores the changed ones. This is not possible if any of them have changed since.</span
      >
    </p>`;
  if (file.state !== "ready") return emptyHtml;
  const submit = html`<button type="submit" class="primary" name="action" value="import">
    Import ${formatCount(changes, kind.one, kind.many)}
  </button>`;
  return html`<p class="actions">
    ${counts.fault === 0 && changes > 0 ? submit : emptyHtml}
    ${file.source === "bulk edit" ? emptyHtml : html`<a class="button" href="${withQuery(path`/tools/import/${file.id}`, { view: "columns" })}">Change columns</a>`}
    <button type="submit" class="plain" name="action" value="reread">Read again</button>
    <button type="submit" class="danger" name="action" value="discard">Discard</button>
  </p>`;
}
