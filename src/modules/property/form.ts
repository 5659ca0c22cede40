import { countries, currencies, PROPERTY_TYPES, STARS, STATUSES, TIME_ZONES } from "../../records/property/choices.ts";
import {
  OPENTRAVEL_LONGEST_CODE,
  type Property,
  PROPERTY_FIELDS,
  PROPERTY_WORDS,
  type PropertyFields,
  warningsOf,
} from "../../records/property/property.ts";
import type { Choices } from "../../text.ts";
import { typedOf } from "../../web/form.ts";
import { type Html, html } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { areaField, choiceField, errorSummary, type FormState, textField, tickField } from "../../web/parts/fields.ts";
import { warnings } from "../../web/parts/notices.ts";
import { editParts, fieldGroup, inFieldOrder, rareFields, recordForm } from "../../web/parts/record-form.ts";
import { path } from "../../web/path.ts";
import type { RecordEdit } from "../../web/record-edit.ts";

const LABELS = PROPERTY_WORDS.labels;
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

/** Only for a new form that has the default time zone. */
function timeZoneGuess({ typed }: FormState): "time-zone" | undefined {
  return typed === PROPERTY_DEFAULTS ? "time-zone" : undefined;
}

export function newPropertyPage(state: FormState, token: string): Page {
  const isRefused = Object.keys(state.faults).length > 0;
  return {
    title: "New property",
    refused: isRefused,
    main: html`${errorSummary(inFieldOrder(state.faults, FIELD_ORDER))}
    ${recordForm({ token, unsaved: isRefused, fields: propertyFields(state, codeField(state)), submit: "Create property", back: path`/property` })}`,
  };
}

export function editPropertyPage({ record: property, conflict, ...edit }: RecordEdit<Property>, token: string): Page {
  const isRefused = conflict !== undefined || Object.keys(edit.state.faults).length > 0;
  const back = path`/property/${property.code}`;
  const { version } = property;
  const { state, notice, marks } = editParts({ ...edit, conflict, version, stored: typedOf(property), words: PROPERTY_WORDS });
  return {
    title: `Edit ${property.name}`,
    refused: isRefused,
    main: html`${errorSummary(inFieldOrder(state.faults, FIELD_ORDER))} ${notice} ${warnings(warningsOf(property.code))}
    ${recordForm({ token, unsaved: isRefused || edit.restored !== undefined, fields: html`${marks} ${propertyFields(state, fixedCode(property.code))}`, submit: "Save property", back })}`,
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
    longest: OPENTRAVEL_LONGEST_CODE,
    focused: Object.keys(state.faults).length === 0,
  });
}

function fixedCode(code: string): Html {
  const hint = "Cannot be changed; messages and URLs use it.";
  return textField({ typed: { code }, faults: {} }, { name: "code", label: "Code", hint, required: true, fixed: true });
}

function identityFields(state: FormState): Html {
  return html`${textField(state, { name: "name", label: LABELS.name, required: true })} ${choice(state, "status", { choices: STATUSES })}
  ${choice(state, "propertyType", { choices: PROPERTY_TYPES })} ${optionalChoice(state, "stars", STARS)}`;
}

function locationFields(state: FormState): Html {
  return html`${textField(state, { name: "street", label: LABELS.street })}
  ${textField(state, { name: "postalCode", label: LABELS.postalCode, size: "short" })}
  ${textField(state, { name: "city", label: LABELS.city })} ${optionalChoice(state, "country", countries())}
  ${choice(state, "timeZone", { choices: TIME_ZONES, hint: "Sets when a new day starts at the property.", guess: timeZoneGuess(state) })}`;
}

function coordinateFields(state: FormState): Html {
  return html`${textField(state, { name: "region", label: LABELS.region })}
  ${textField(state, { name: "latitude", label: LABELS.latitude, hint: "Degrees north, such as 46.6713", size: "short" })}
  ${textField(state, { name: "longitude", label: LABELS.longitude, hint: "Degrees east, such as 11.1525", size: "short" })}`;
}

function salesFields(state: FormState): Html {
  return html`${choice(state, "currency", { choices: currencies(), hint: "Used when a message names no currency." })}
  ${tickField(state, { name: "pricesIncludeTax", label: LABELS.pricesIncludeTax })}
  ${tickField(state, { name: "assumeOpen", label: LABELS.assumeOpen, hint: "If off, a night stays closed until a message opens it." })}`;
}

function horizonFields(state: FormState): Html {
  const hint = "If off, a rate plan is created when a message first uses it.";
  return html`${textField(state, { name: "horizonDays", label: LABELS.horizonDays, hint: "100 to 1100. Later nights are not stored.", required: true, type: "number", size: "short" })}
  ${tickField(state, { name: "knownPlansOnly", label: LABELS.knownPlansOnly, hint })}`;
}

function stayFields(state: FormState): Html {
  const age = (name: "minChildAge" | "maxChildAge") =>
    textField(state, { name, label: LABELS[name], hint: "0 to 17", type: "number", size: "short" });
  const time = (name: "checkInFrom" | "checkInUntil" | "checkOutUntil") =>
    textField(state, { name, label: LABELS[name], type: "time", size: "short" });
  return html`${time("checkInFrom")} ${time("checkInUntil")} ${time("checkOutUntil")} ${age("minChildAge")} ${age("maxChildAge")}
  ${textField(state, { name: "languages", label: LABELS.languages, hint: "Two-letter codes separated by commas, such as de, it, en" })}`;
}

function contactFields(state: FormState): Html {
  return html`${textField(state, { name: "contactName", label: LABELS.contactName })}
  ${textField(state, { name: "phone", label: LABELS.phone, type: "tel" })}
  ${textField(state, { name: "email", label: LABELS.email, type: "email" })}
  ${textField(state, { name: "website", label: LABELS.website, type: "url", hint: "Starts with http:// or https://" })}`;
}

function textFields(state: FormState): Html {
  const hint = "Internal; never sent.";
  return html`<div class="whole">${areaField(state, { name: "description", label: LABELS.description })}</div>
    <div class="whole">${areaField(state, { name: "notes", label: LABELS.notes, hint, rows: 3 })}</div>`;
}

function groupFields(state: FormState): Html {
  return html`${textField(state, { name: "groupName", label: LABELS.groupName, hint: "Chain or hotel group" })}
  ${textField(state, { name: "externalId", label: LABELS.externalId, hint: "ID in another system" })}`;
}

function choice(
  state: FormState,
  name: keyof PropertyFields,
  field: { choices: Choices; hint?: string; guess?: "time-zone" | undefined },
): Html {
  return choiceField(state, { name, label: LABELS[name], required: true, ...field });
}

function optionalChoice(state: FormState, name: keyof PropertyFields, choices: Choices): Html {
  return choiceField(state, { name, label: LABELS[name], choices });
}
