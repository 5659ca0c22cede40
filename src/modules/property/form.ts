import { countries, currencies, PROPERTY_TYPES, STAR_CHOICES, PROPERTY_STATUSES, TIME_ZONES } from "../../records/property/choices.ts";
import {
  OPENTRAVEL_MAX_CODE_LENGTH,
  type Property,
  PROPERTY_FIELDS,
  PROPERTY_WORDS,
  type PropertyFields,
  codeWarnings,
} from "../../records/property/property.ts";
import type { Choices } from "../../text.ts";
import { toTypedValues } from "../../web/form.ts";
import { type Html, html } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { areaField, choiceField, errorSummary, type FormState, textField, tickField } from "../../web/parts/fields.ts";
import { warningList } from "../../web/parts/notices.ts";
import { editParts, fieldGroup, sortByField, rareFields, recordForm } from "../../web/parts/record-form.ts";
import { path } from "../../web/path.ts";
import type { RecordEdit } from "../../web/record-edit.ts";

const FIELD_LABELS = PROPERTY_WORDS.labels;
const FIELD_ORDER = ["code", ...PROPERTY_FIELDS];

export const PROPERTY_DEFAULTS = {
  status: "active",
  propertyType: "20",
  currency: "EUR",
  timeZone: "UTC",
  assumeOpen: "on",
  pricesIncludeTax: "on",
  horizonDays: "750",
};

/** Enables the browser's guess, but only in a new form with the default time zone. */
function guessTimeZone({ typed }: FormState): "time-zone" | undefined {
  return typed === PROPERTY_DEFAULTS ? "time-zone" : undefined;
}

export function newPropertyPage(state: FormState, token: string): Page {
  const isRefused = Object.keys(state.faults).length > 0;
  return {
    title: "New property",
    refused: isRefused,
    main: html`${errorSummary(sortByField(state.faults, FIELD_ORDER))}
    ${recordForm({ token, unsaved: isRefused, fields: propertyFields(state, codeField(state)), submit: "Create property", back: path`/property` })}`,
  };
}

export function editPropertyPage({ record: property, conflict, ...edit }: RecordEdit<Property>, token: string): Page {
  const isRefused = conflict !== undefined || Object.keys(edit.state.faults).length > 0;
  const backPath = path`/property/${property.code}`;
  const { version } = property;
  const { state, notice, marks } = editParts({ ...edit, conflict, version, stored: toTypedValues(property), words: PROPERTY_WORDS });
  return {
    title: `Edit ${property.name}`,
    refused: isRefused,
    main: html`${errorSummary(sortByField(state.faults, FIELD_ORDER))} ${notice} ${warningList(codeWarnings(property.code))}
    ${recordForm({ token, unsaved: isRefused || edit.restored !== undefined, fields: html`${marks} ${propertyFields(state, fixedCode(property.code))}`, submit: "Save property", back: backPath })}`,
  };
}

function propertyFields(state: FormState, code: Html): Html {
  return html`${fieldGroup("Property", html`${code} ${identityFields(state)}`)}
  ${fieldGroup(
    "Location",
    locationFields(state),
    rareFields(state, { region: "", latitude: "", longitude: "" }, { title: "Region and coordinates", fields: coordinateFields(state) }),
  )}
  ${fieldGroup(
    "Prices and availability",
    salesFields(state),
    rareFields(state, { horizonDays: "750", knownPlansOnly: "" }, { title: "Advanced", fields: horizonFields(state) }),
  )}
  ${fieldGroup("Check-in and guests", stayFields(state))} ${fieldGroup("Contact", contactFields(state))}
  ${fieldGroup(
    "Description and notes",
    textFields(state),
    rareFields(state, { groupName: "", externalId: "" }, { title: "Group and external ID", fields: groupFields(state) }),
  )}`;
}

function codeField(state: FormState): Html {
  const hint =
    "Identifies the property in messages. Case-sensitive. Cannot be changed later. Keep to 16 characters; some systems reject longer codes.";
  return textField(state, {
    name: "code",
    label: "Code",
    hint,
    required: true,
    longest: OPENTRAVEL_MAX_CODE_LENGTH,
    focused: Object.keys(state.faults).length === 0,
  });
}

function fixedCode(code: string): Html {
  const hint = "Cannot be changed; messages and URLs use it.";
  return textField({ typed: { code }, faults: {} }, { name: "code", label: "Code", hint, required: true, fixed: true });
}

function identityFields(state: FormState): Html {
  return html`${textField(state, { name: "name", label: FIELD_LABELS.name, required: true })}
  ${choiceInput(state, "status", { choices: PROPERTY_STATUSES })} ${choiceInput(state, "propertyType", { choices: PROPERTY_TYPES })}
  ${optionalChoice(state, "stars", STAR_CHOICES)}`;
}

function locationFields(state: FormState): Html {
  return html`${textField(state, { name: "street", label: FIELD_LABELS.street })}
  ${textField(state, { name: "postalCode", label: FIELD_LABELS.postalCode, size: "short" })}
  ${textField(state, { name: "city", label: FIELD_LABELS.city })} ${optionalChoice(state, "country", countries())}
  ${choiceInput(state, "timeZone", { choices: TIME_ZONES, hint: "Sets when a new day starts at the property.", guess: guessTimeZone(state) })}`;
}

function coordinateFields(state: FormState): Html {
  return html`${textField(state, { name: "region", label: FIELD_LABELS.region })}
  ${textField(state, { name: "latitude", label: FIELD_LABELS.latitude, hint: "Degrees north, such as 46.6713", size: "short" })}
  ${textField(state, { name: "longitude", label: FIELD_LABELS.longitude, hint: "Degrees east, such as 11.1525", size: "short" })}`;
}

function salesFields(state: FormState): Html {
  return html`${choiceInput(state, "currency", { choices: currencies(), hint: "Used when a message names no currency." })}
  ${tickField(state, { name: "pricesIncludeTax", label: FIELD_LABELS.pricesIncludeTax })}
  ${tickField(state, { name: "assumeOpen", label: FIELD_LABELS.assumeOpen, hint: "If off, a night stays closed until a message opens it." })}`;
}

function horizonFields(state: FormState): Html {
  const hint = "If off, a rate plan is created when a message first uses it.";
  return html`${textField(state, { name: "horizonDays", label: FIELD_LABELS.horizonDays, hint: "100 to 1100. Later nights are not stored.", required: true, type: "number", size: "short" })}
  ${tickField(state, { name: "knownPlansOnly", label: FIELD_LABELS.knownPlansOnly, hint })}`;
}

function stayFields(state: FormState): Html {
  const age = (name: "minChildAge" | "maxChildAge") =>
    textField(state, { name, label: FIELD_LABELS[name], hint: "0 to 17", type: "number", size: "short" });
  const time = (name: "checkInFrom" | "checkInUntil" | "checkOutUntil") =>
    textField(state, { name, label: FIELD_LABELS[name], type: "time", size: "short" });
  return html`${time("checkInFrom")} ${time("checkInUntil")} ${time("checkOutUntil")} ${age("minChildAge")} ${age("maxChildAge")}
  ${textField(state, { name: "languages", label: FIELD_LABELS.languages, hint: "Two-letter codes separated by commas, such as de, it, en" })}`;
}

function contactFields(state: FormState): Html {
  return html`${textField(state, { name: "contactName", label: FIELD_LABELS.contactName })}
  ${textField(state, { name: "phone", label: FIELD_LABELS.phone, type: "tel" })}
  ${textField(state, { name: "email", label: FIELD_LABELS.email, type: "email" })}
  ${textField(state, { name: "website", label: FIELD_LABELS.website, type: "url", hint: "Starts with http:// or https://" })}`;
}

function textFields(state: FormState): Html {
  const hint = "Internal; never sent.";
  return html`<div class="whole">${areaField(state, { name: "description", label: FIELD_LABELS.description })}</div>
    <div class="whole">${areaField(state, { name: "notes", label: FIELD_LABELS.notes, hint, rows: 3 })}</div>`;
}

function groupFields(state: FormState): Html {
  return html`${textField(state, { name: "groupName", label: FIELD_LABELS.groupName, hint: "Chain or hotel group" })}
  ${textField(state, { name: "externalId", label: FIELD_LABELS.externalId, hint: "ID in another system" })}`;
}

function choiceInput(
  state: FormState,
  name: keyof PropertyFields,
  field: { choices: Choices; hint?: string; guess?: "time-zone" | undefined },
): Html {
  return choiceField(state, { name, label: FIELD_LABELS[name], required: true, ...field });
}

function optionalChoice(state: FormState, name: keyof PropertyFields, choices: Choices): Html {
  return choiceField(state, { name, label: FIELD_LABELS[name], choices });
}
