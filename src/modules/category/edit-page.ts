import { type Category, CATEGORY_FIELDS, CATEGORY_WORDS as WORDS, warningsOf } from "../../records/category/category.ts";
import type { Property } from "../../records/property/property.ts";
import { typedOf } from "../../web/form.ts";
import { each, type Html, html, nothing } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { valueLabel, labelOf } from "../../web/parts/field-words.ts";
import { errorSummary } from "../../web/parts/fields.ts";
import { type History, history } from "../../web/parts/history.ts";
import { relativeMoment } from "../../web/parts/moment.ts";
import { warnings } from "../../web/parts/notices.ts";
import { editParts, inFieldOrder, recordForm } from "../../web/parts/record-form.ts";
import { fact } from "../../web/parts/table.ts";
import { path, withQuery } from "../../web/path.ts";
import type { RecordEdit } from "../../web/record-edit.ts";
import { FIELD_ORDER, fieldsOf, fixedKeys, NEW_CATEGORY_WORDS } from "./form.ts";
import { type NextNight, nextNights } from "./next-nights.ts";

export type CategoryView = {
  property: Property;
  category: Category;
  lastInventoryUpdate: number | undefined;
  nights: readonly NextNight[];
  changes: History;
};

export function editCategoryPage({ record, conflict, ...edit }: RecordEdit<CategoryView>, token: string): Page {
  const { property, category, nights, changes } = record;
  const refused = conflict !== undefined || Object.keys(edit.state.faults).length > 0;
  const { version } = category;
  const { state, notice, marks } = editParts({ ...edit, conflict, version, stored: typedOf(category), words: WORDS });
  const fields = html`${marks} ${fieldsOf(state, fixedKeys(category))}`;
  const back = path`/property/${property.code}`;
  return {
    title: `Edit ${category.name}`,
    refused,
    actions: html`<a class="button" href="${withQuery(path`/category/new`, { hotelCode: property.code })}">New category</a>`,
    main: html`${links(property, category)} ${errorSummary(inFieldOrder(state.faults, FIELD_ORDER))} ${notice}
    ${warnings(warningsOf(category.code))} ${refused ? nothing : nextNights(nights, category)}
    ${recordForm({ token, unsaved: refused || edit.restored !== undefined, fields, submit: "Save category", back })} ${activity(record)}
    ${history(changes, WORDS, path`/category/${property.code}/${category.code}/edit`)}`,
  };
}

export function categoryPage(record: CategoryView): Page {
  const { property, category, nights, changes } = record;
  return {
    title: category.name,
    main: html`${links(property, category)} ${warnings(warningsOf(category.code))} ${nextNights(nights, category)} ${details(category)}
    ${activity(record)} ${history(changes, WORDS, path`/category/${property.code}/${category.code}/edit`)}`,
  };
}

function details(category: Category): Html {
  const typed = typedOf(category);
  return html`<section aria-labelledby="details">
    <h2 id="details">Details</h2>
    <dl class="facts">
      ${each(["code", ...CATEGORY_FIELDS], (name) => fact(labelOf(name, NEW_CATEGORY_WORDS), valueLabel(name, typed[name] ?? "", WORDS) ?? typed[name]))}
    </dl>
  </section>`;
}

function links({ code }: Property, category: Category): Html {
  const query = { property: code, category: category.code };
  return html`<ul class="links">
    <li><a href="${withQuery(path`/inventories`, query)}">Inventories for this category</a></li>
    <li><a href="${withQuery(path`/rates`, query)}">Rates for this category</a></li>
  </ul>`;
}

function activity({ category, property, lastInventoryUpdate }: CategoryView): Html {
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
