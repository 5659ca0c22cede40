import {
  ALPINEBITS_MAX_CODE_LENGTH,
  CATEGORY_FIELDS,
  type CategoryFields,
  CATEGORY_STATUSES,
  CATEGORY_WORDS,
  CATEGORY_KINDS,
} from "../../records/category/category.ts";
import { mapHtml, type Html, html, emptyHtml } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { areaField, choiceField, errorSummary, type FormState, textField, tickField } from "../../web/parts/fields.ts";
import { fieldGroup, sortByField, rareFields, recordForm } from "../../web/parts/record-form.ts";
import { path, withQuery } from "../../web/path.ts";

const FIELD_LABELS = CATEGORY_WORDS.labels;
export const NEW_CATEGORY_WORDS = { ...CATEGORY_WORDS, labels: { hotelCode: "Property", code: "Code", ...FIELD_LABELS } };
export const FIELD_ORDER = ["hotelCode", "code", ...CATEGORY_FIELDS];

export const CATEGORY_DEFAULTS = {
  kind: "room",
  status: "active",
  standardOccupancy: "2",
  minOccupancy: "1",
  rooms: "1",
  sortOrder: "0",
};

export type PropertySuggestions = readonly { code: string; name: string }[];

export function newCategoryPage(state: FormState, properties: PropertySuggestions, token: string): Page {
  const isRefused = Object.keys(state.faults).length > 0;
  const backPath = withQuery(path`/category`, { hotelCode: state.typed["hotelCode"] });
  const fields = formFields(state, keyFields(state, properties));
  return {
    title: "New category",
    refused: isRefused,
    main: html`${errorSummary(sortByField(state.faults, FIELD_ORDER))} ${properties.length === 0 ? noProperty : emptyHtml}
    ${recordForm({ token, unsaved: isRefused, fields, submit: "Create category", back: backPath })}`,
  };
}

const noProperty = html`<p class="notice warn">
  A category belongs to a property, but there are no properties yet. <a href="${path`/property/new`}">Create a property first</a>
</p>`;

export function formFields(state: FormState, keys: Html): Html {
  const guestLimits = { maxAdults: "", maxChildren: "", maxInfants: "" };
  return html`${fieldGroup("Category", html`${keys} ${identityFields(state)}`)}
  ${fieldGroup(
    "Occupancy",
    occupancyFields(state),
    rareFields(state, guestLimits, {
      title: "Limits by age group",
      fields: mapHtml(["maxAdults", "maxChildren", "maxInfants"] as const, (name) => guestLimitField(state, name)),
    }),
  )}
  ${fieldGroup(
    "Rooms",
    roomFields(state),
    rareFields(state, { roomNames: "", sortOrder: "0" }, { title: "Individual rooms and sort order", fields: individualRoomFields(state) }),
  )}
  ${fieldGroup(
    "Description and photos",
    html`<div class="whole">${areaField(state, { name: "description", label: FIELD_LABELS.description })}</div>`,
    rareFields(state, { photos: "", amenities: "" }, { title: "Photos and amenities", fields: mediaFields(state) }),
  )}`;
}

export function fixedKeys({ hotelCode, code }: { hotelCode: string; code: string }): Html {
  const state = { typed: { hotelCode, code }, faults: {} };
  const hint = "Property and code cannot be changed; messages and URLs use them.";
  return html`${textField(state, { name: "hotelCode", label: "Property", required: true, fixed: true })}
  ${textField(state, { name: "code", label: "Code", hint, required: true, fixed: true })}`;
}

function keyFields(state: FormState, properties: PropertySuggestions): Html {
  const isNew = Object.keys(state.faults).length === 0;
  const hint =
    "Unique within the property. Case-sensitive. Cannot be changed later. Keep to 8 characters; some systems reject longer codes.";
  return html`${textField(state, { name: "hotelCode", label: "Property", hint: "Property code", required: true, list: "properties", focused: isNew && state.typed.hotelCode === "" })}
    <datalist id="properties">${mapHtml(properties, ({ code, name }) => html`<option value="${code}">${name}</option>`)}</datalist>
    ${textField(state, { name: "code", label: "Code", hint, required: true, longest: ALPINEBITS_MAX_CODE_LENGTH, focused: isNew && state.typed.hotelCode !== "" })}`;
}

function identityFields(state: FormState): Html {
  return html`${textField(state, { name: "name", label: FIELD_LABELS.name, required: true })}
  ${choiceField(state, { name: "kind", label: FIELD_LABELS.kind, required: true, choices: CATEGORY_KINDS })}
  ${choiceField(state, { name: "status", label: FIELD_LABELS.status, required: true, choices: CATEGORY_STATUSES })}`;
}

function occupancyFields(state: FormState): Html {
  return html`${countField(state, "standardOccupancy", { hint: "Guests included in the price, 1 to 99.", required: true })}
  ${countField(state, "minOccupancy", { hint: "1 to the standard occupancy.", required: true })}
  ${countField(state, "maxOccupancy", { hint: "Up to 99. Leave blank to use the standard occupancy." })}`;
}

function guestLimitField(state: FormState, name: "maxAdults" | "maxChildren" | "maxInfants"): Html {
  return countField(state, name, { hint: "0 to the maximum occupancy." });
}

function roomFields(state: FormState): Html {
  const bedsHint = "For example, 1 double, 1 sofa bed";
  return html`${countField(state, "rooms", { hint: "Rooms in this category, 0 to 9999.", required: true })}
  ${textField(state, { name: "size", label: FIELD_LABELS.size, type: "number", size: "short", hint: "1 to 10000, such as 24.5" })}
  ${textField(state, { name: "beds", label: FIELD_LABELS.beds, hint: bedsHint })}
  ${tickField(state, { name: "smoking", label: FIELD_LABELS.smoking })}
  ${tickField(state, { name: "accessible", label: FIELD_LABELS.accessible, hint: "Suitable for wheelchair users." })}`;
}

function individualRoomFields(state: FormState): Html {
  const hint = "Separated by commas, such as 101, 102, 201. Messages can set availability for each room by name.";
  const order = "Categories are sorted by this number, then by name.";
  return html`<div class="whole">${areaField(state, { name: "roomNames", label: FIELD_LABELS.roomNames, hint, rows: 2 })}</div>
    ${textField(state, { name: "sortOrder", label: FIELD_LABELS.sortOrder, hint: order, required: true, size: "short" })}`;
}

function mediaFields(state: FormState): Html {
  const hint = "One URL per line, up to 30.";
  return html`<div class="whole">${areaField(state, { name: "photos", label: FIELD_LABELS.photos, hint })}</div>
    <div class="whole">
      ${textField(state, { name: "amenities", label: FIELD_LABELS.amenities, hint: "OpenTravel codes (RMA) separated by commas, such as 2, 13, 123", size: "long" })}
    </div>`;
}

function countField(state: FormState, name: keyof CategoryFields, field: { hint: string; required?: boolean }): Html {
  return textField(state, { name, label: FIELD_LABELS[name], type: "number", size: "short", ...field });
}
