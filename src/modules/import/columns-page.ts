import { type ImportKind, IMPORT_KINDS } from "../../records/import/kinds.ts";
import type { Import } from "../../records/import/store.ts";
import type { Choices } from "../../text.ts";
import { textExcerpt } from "../../text.ts";
import type { Faults } from "../../web/form.ts";
import { mapHtml, type Html, html, emptyHtml } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { errorSummary, faultText, optionElements, selectBox, tokenField } from "../../web/parts/fields.ts";
import { isolateDirections } from "../../web/parts/isolate.ts";
import { scrollTable } from "../../web/parts/table.ts";
import { path } from "../../web/path.ts";
import { type ColumnMapping, fieldChoices } from "./columns.ts";
import { describeFile } from "./words.ts";

type ColumnsView = { file: Import; kind: ImportKind; columns: ColumnMapping; example: readonly string[]; token: string; faults: Faults };

export const KIND_CHOICES: Choices = IMPORT_KINDS.map(({ name, many }) => [name, many.charAt(0).toUpperCase() + many.slice(1)]);

export function columnsPage(view: ColumnsView): Page {
  const { file, kind, token, faults } = view;
  return {
    title: `Import #${file.id}: columns`,
    refused: Object.keys(faults).length > 0,
    lead: "Choose a field for each column of the file. Ignored columns have no effect.",
    actions: html`<a class="button" href="${path`/tools/import`}">All imports</a>`,
    main: html`${errorSummary(faults)} ${file.fault === null ? emptyHtml : html`<p class="notice bad" role="alert">${file.fault}</p>`}
      <p class="hint">${describeFile(file)}</p>
      <form method="post" action="${path`/tools/import/${file.id}`}">
        ${tokenField(token)} ${selectBox("kind", "Record type", { value: kind.name, choices: KIND_CHOICES, fault: faults.kind })}
        ${scrollTable({ label: "Columns", heads: ["Column in the file", "First value", "Field"], narrow: "stacked" }, columnRows(view))}
        <p class="actions">
          <button type="submit" class="primary" name="action" value="read">Show preview</button>
          <button type="submit" class="plain" name="action" value="match">Match columns by name</button>
          <button type="submit" class="danger" name="action" value="discard">Discard file</button>
        </p>
      </form>`,
  };
}

function columnRows({ file, kind, columns, example, faults }: ColumnsView): Html {
  const choices: Choices = [["", "Ignore"], ...fieldChoices(kind)];
  return mapHtml(file.header, (title, index) => {
    const name = `c${index}`;
    return html`<tr>
      <th scope="row"><label for="f-${name}">${title === "" ? `Column ${index + 1}` : isolateDirections(title)}</label></th>
      <td class="name">${isolateDirections(textExcerpt(example[index] ?? "", 0, 60))}</td>
      <td>
        ${faultText(name, faults[name])}<select id="f-${name}" name="${name}">
          ${optionElements(choices, columns[index] ?? "")}
        </select>
      </td>
    </tr>`;
  });
}
