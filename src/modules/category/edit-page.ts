import { type Category, CATEGORY_FIELDS, CATEGORY_WORDS as WORDS, codeWarnings } from "../../records/category/category.ts";
import type { Property } from "../../records/property/property.ts";
import { toTypedValues } from "../../web/form.ts";
import { mapHtml, type Html, html, emptyHtml } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { valueLabel, fieldLabel } from "../../web/parts/field-words.ts";
import { errorSummary } from "../../web/parts/fields.ts";
import { type RecordHistory, historyList } from "../../web/parts/history.ts";
import { relativeMoment } from "../../web/parts/moment.ts";
import { warningList } from "../../web/parts/notices.ts";
import { editParts, sortByField, recordForm } from "../../web/parts/record-form.ts";
import { factRow } from "../../web/parts/table.ts";
import { path, withQuery } from "../../web/path.ts";
import type { RecordEdit } from "../../web/record-edit.ts";
import { FIELD_ORDER, formFields, fixedKeys, NEW_CATEGORY_WORDS } from "./form.ts";
import { type NextNight, nextNights } from "./next-nights.ts";

export type CategoryView = {
  property: Property;
  category: Category;
  lastInventoryUpdate: number | undefined;
  nights: readonly NextNight[];
  changes: RecordHistory;
};

export function editCategoryPage({ record, conflict, ...edit }: RecordEdit<CategoryView>, token: string): Page {
  const { property, category, nights, changes } = record;
  const isRefused = conflict !== undefined || Object.keys(edit.state.faults).length > 0;
  const { version } = category;
  const { state, notice, marks } = editParts({ ...edit, conflict, version, stored: toTypedValues(category), words: WORDS });
  const fields = html`${marks} ${formFields(state, fixedKeys(category))}`;
  const backPath = path`/property/${property.code}`;
  return {
    title: `Edit ${category.name}`,
    refused: isRefused,
    actions: html`<a class="button" href="${withQuery(path`/category/new`, { hotelCode: property.code })}">New category</a>`,
    main: html`${linksSection(property, category)} ${errorSummary(sortByField(state.faults, FIELD_ORDER))} ${notice}
    ${warningList(codeWarnings(category.code))} ${isRefused ? emptyHtml : nextNights(nights, category)}
    ${recordForm({ token, unsaved: isRefused || edit.restored !== undefined, fields, submit: "Save category", back: backPath })}
    ${activitySection(record)} ${historyList(changes, WORDS, path`/category/${property.code}/${category.code}/edit`)}`,
  };
}

export function categoryPage(record: CategoryView): Page {
  const { property, category, nights, changes } = record;
  return {
    title: category.name,
    main: html`${linksSection(property, category)} ${warningList(codeWarnings(category.code))} ${nextNights(nights, category)}
    ${detailsSection(category)} ${activitySection(record)}
    ${historyList(changes, WORDS, path`/category/${property.code}/${category.code}/edit`)}`,
  };
}

function detailsSection(category: Category): Html {
  const typed = toTypedValues(category);
  return html`<section aria-labelledby="details">
    <h2 id="details">Details</h2>
    <dl class="facts">
      ${mapHtml(["code", ...CATEGORY_FIELDS], (name) => factRow(fieldLabel(name, NEW_CATEGORY_WORDS), valueLabel(name, typed[name] ?? "", WORDS) ?? typed[name]))}
    </dl>
  </section>`;
}

function linksSection({ code }: Property, category: Category): Html {
  const query = { property: code, category: category.code };
  return html`<ul class="links">
    <li><a href="${withQuery(path`/inventories`, query)}">Inventories for this category</a></li>
    <li><a href="${withQuery(path`/rates`, query)}">Rates for this category</a></li>
  </ul>`;
}

function activitySection({ category, property, lastInventoryUpdate }: CategoryView): Html {
  const { createdAt, updatedAt, version } = category;
  return html`<section aria-labelledby="activity">
    <h2 id="activity">Activity</h2>
    <dl class="facts">
      <dt>Last inventory update</dt>
      <dd>${relativeMoment(lastInventoryUpdate, property.timeZone)}</dd>
      <dt>Created</dt>
      <dd>${relativeMoment(createdAt, property.timeZone)}</dd>
      <dt>Last edited</dt>
      <dd>${relativeMoment(version === 1 ? undefined : updatedAt, property.timeZone)}</dd>
    </dl>
  </section>`;
}
