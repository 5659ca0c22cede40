import type { ImportKind } from "../../records/import/kinds.ts";
import { TIME_ZONES } from "../../records/property/choices.ts";
import type { Choices } from "../../text.ts";
import { mapHtml, type Html, html, type Path } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { formatNumber, formatCount } from "../../web/parts/amount.ts";
import { errorSummary, type FormState, hiddenFields, selectBox, textField, tickField, tokenField } from "../../web/parts/fields.ts";
import type { RowCount } from "../../web/parts/list.ts";
import { fieldGroup } from "../../web/parts/record-form.ts";
import { path } from "../../web/path.ts";
import { clearInputName, valueInputName } from "./bulk-form.ts";

type BulkView = {
  kind: ImportKind;
  fields: readonly string[];
  chosen: readonly string[];
  filters: Readonly<Record<string, string | undefined>>;
  count: RowCount;
  state: FormState;
  token: string;
  list: Path;
};

export function bulkPage(view: BulkView): Page {
  const { kind, fields, chosen, filters, state, token, list } = view;
  return {
    title: `Edit ${kind.many}`,
    refused: Object.keys(state.faults).length > 0,
    lead: "Choose new values. A preview shows every change before anything is stored.",
    main: html`${errorSummary(state.faults)}
      <form method="post" action="${path`/tools/import/edit`}">
        ${tokenField(token)} ${hiddenFields({ ...filters, kind: kind.name })}
        ${mapHtml(chosen, (key) => html`<input type="hidden" name="chosen" value="${key}" />`)} ${rowChoice(view)}
        ${fieldGroup(
          "New values",
          mapHtml(fields, (field) => bulkField(field, kind, state)),
        )}
        <p class="actions">
          <button type="submit" class="primary" name="action" value="edit">Show preview</button> <a href="${list}">Cancel</a>
        </p>
      </form>`,
  };
}

function rowChoice({ kind, chosen, filters, count, state }: BulkView): Html {
  const isFiltered = Object.values(filters).some(Boolean);
  const number = count.exact ? formatCount(count.total, kind.one, kind.many) : `more than ${formatNumber(count.total)} ${kind.many}`;
  const all = isFiltered ? `All that match the filter: ${number}` : `All: ${number}`;
  const selectedRows = state.typed.rows ?? (chosen.length > 0 ? "chosen" : "all");
  const choices: Choices = [
    ...(chosen.length > 0 ? ([["chosen", `Selected: ${formatCount(chosen.length, kind.one, kind.many)}`]] as const) : []),
    ["all", all],
  ];
  return selectBox("rows", "Rows to edit", { value: selectedRows, choices });
}

const FIELD_CONDITIONS: Readonly<Record<string, string>> = { currency: " (only for properties without prices)" };

function bulkField(field: string, kind: ImportKind, state: FormState): Html {
  const name = valueInputName(field);
  const label = kind.labels[field]!;
  const choices = field === "timeZone" ? TIME_ZONES : kind.choices[field]?.();
  if (choices) {
    const values: Choices = kind.flags.includes(field)
      ? [
          ["on", "Yes"],
          ["off", "No"],
        ]
      : choices;
    return selectBox(name, `${label}${FIELD_CONDITIONS[field] ?? ""}`, {
      value: state.typed[name] ?? "",
      choices: [["", "Leave unchanged"], ...values],
      fault: state.faults[name],
    });
  }
  const input = textField(state, { name, label, hint: "Leave blank to keep the stored values.", size: "medium" });
  return field === "groupName" ? html`${input} ${tickField(state, { name: clearInputName(field), label: "Remove the group" })}` : input;
}
