import { each, type Html, html, nothing } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { areaField, errorSummary, type FormState, textField, tickField } from "../../web/parts/fields.ts";
import { fieldGroup, inOrder, listField, rareFields, recordForm } from "../../web/parts/record-form.ts";
import { path, withQuery } from "../../web/path.ts";
import { ALPINEBITS_LONGEST_CODE, CATEGORY_FIELDS, type CategoryFields } from "./category.ts";
import { CATEGORY_STATUSES, KINDS } from "./choices.ts";
import { CATEGORY_LABELS as LABELS } from "./labels.ts";

/** The fields in the order of the form. */
export const FIELDS = ["hotelCode", "code", ...CATEGORY_FIELDS];

/** What stands in the form of a new category. */
export const NEW_CATEGORY = {
  kind: "room",
  status: "active",
  standardOccupancy: "2",
  minOccupancy: "1",
  rooms: "1",
  sortOrder: "0",
};

/** Codes and names of the properties that the form suggests. */
export type Suggestions = readonly { code: string; name: string }[];

/** The form of a new category, or the same with what is wrong in it. */
export function newCategoryPage(state: FormState, properties: Suggestions, token: string): Page {
  const refused = Object.keys(state.faults).length > 0;
  const back = withQuery(path`/category`, { hotelCode: state.typed["hotelCode"] });
  const fields = fieldsOf(state, keyFields(state, properties));
  return {
    title: "New category",
    section: "category",
    refused,
    main: html`${errorSummary(inOrder(state.faults, FIELDS))} ${properties.length === 0 ? noProperty : nothing}
    ${recordForm({ token, unsaved: refused, fields, submit: "Create category", back })}`,
  };
}

const noProperty = html`<p class="notice warn">
  A category belongs to a property, and there is none yet. <a href="${path`/property/new`}">Create the property first</a>
</p>`;

/** All fields of the form below its keys. */
export function fieldsOf(state: FormState, keys: Html): Html {
  const rareOccupancy = { maxAdults: "", maxChildren: "", maxInfants: "" };
  return html`${fieldGroup("Category", html`${keys} ${identityFields(state)}`)}
  ${fieldGroup(
    "Occupancy",
    occupancyFields(state),
    rareFields(state, rareOccupancy, {
      title: "Limits by age",
      fields: each(["maxAdults", "maxChildren", "maxInfants"] as const, (name) => most(state, name)),
    }),
  )}
  ${fieldGroup(
    "Rooms",
    roomFields(state),
    rareFields(state, { roomNames: "", sortOrder: "0" }, { title: "Single rooms and order", fields: singleRoomFields(state) }),
  )}
  ${fieldGroup(
    "Texts and pictures",
    html`<div class="whole">${areaField(state, { name: "description", label: LABELS.description })}</div>`,
    rareFields(state, { photos: "", amenities: "" }, { title: "Photos and amenities", fields: mediaFields(state) }),
  )}`;
}

/** The keys of a category that exists: shown, not editable. */
export function fixedKeys({ hotelCode, code }: { hotelCode: string; code: string }): Html {
  const state = { typed: { hotelCode, code }, faults: {} };
  const hint = "Messages and addresses name the category by its property and code, so both stay as they are.";
  return html`${textField(state, { name: "hotelCode", label: "Property", required: true, fixed: true })}
  ${textField(state, { name: "code", label: "Code", hint, required: true, fixed: true })}`;
}

function keyFields(state: FormState, properties: Suggestions): Html {
  const hint = "Unique in its property, upper and lower case apart. It cannot be changed later; at most 8 characters pass everywhere.";
  return html`${textField(state, { name: "hotelCode", label: "Property", hint: "The code of the property.", required: true, list: "properties" })}
    <datalist id="properties">${each(properties, ({ code, name }) => html`<option value="${code}">${name}</option>`)}</datalist>
    ${textField(state, { name: "code", label: "Code", hint, required: true, longest: ALPINEBITS_LONGEST_CODE })}`;
}

function identityFields(state: FormState): Html {
  return html`${textField(state, { name: "name", label: LABELS.name, required: true })}
  ${listField(state, { name: "kind", label: LABELS.kind, required: true, choices: KINDS })}
  ${listField(state, { name: "status", label: LABELS.status, required: true, choices: CATEGORY_STATUSES })}`;
}

function occupancyFields(state: FormState): Html {
  return html`${count(state, "standardOccupancy", { hint: "Guests included in the price, 1 to 99.", required: true })}
  ${count(state, "minOccupancy", { hint: "1 to the standard occupancy.", required: true })}
  ${count(state, "maxOccupancy", { hint: "The standard occupancy to 99; empty is the standard occupancy." })}`;
}

function most(state: FormState, name: "maxAdults" | "maxChildren" | "maxInfants"): Html {
  return count(state, name, { hint: "0 to the maximum occupancy." });
}

function roomFields(state: FormState): Html {
  const beds = "Such as 1 double, 1 sofa";
  return html`${count(state, "rooms", { hint: "How many there are of this category, 0 to 9999.", required: true })}
  ${textField(state, { name: "size", label: LABELS.size, type: "number", size: "short", hint: "1 to 10000, such as 24.5" })}
  ${textField(state, { name: "beds", label: LABELS.beds, hint: beds })} ${tickField(state, { name: "smoking", label: LABELS.smoking })}
  ${tickField(state, { name: "accessible", label: LABELS.accessible, hint: "For guests in a wheelchair." })}`;
}

function singleRoomFields(state: FormState): Html {
  const hint = "Between commas, such as 101, 102, 201. Messages may count each room by its name.";
  const order = "Categories of a property are shown by this number, then by name.";
  return html`<div class="whole">${areaField(state, { name: "roomNames", label: LABELS.roomNames, hint, rows: 2 })}</div>
    ${textField(state, { name: "sortOrder", label: LABELS.sortOrder, hint: order, required: true, size: "short" })}`;
}

function mediaFields(state: FormState): Html {
  const hint = "One address a line with http:// or https://, at most 30.";
  return html`<div class="whole">${areaField(state, { name: "photos", label: LABELS.photos, hint })}</div>
    <div class="whole">
      ${textField(state, { name: "amenities", label: LABELS.amenities, hint: "OpenTravel codes (RMA) between commas, such as 2, 13, 123", size: "long" })}
    </div>`;
}

function count(state: FormState, name: keyof CategoryFields, field: { hint: string; required?: boolean }): Html {
  return textField(state, { name, label: LABELS[name], type: "number", size: "short", ...field });
}
