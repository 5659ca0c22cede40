import { countries, currencies, PROPERTY_TYPES, STARS, STATUSES } from "../../records/property/choices.ts";
import type { PropertyFields } from "../../records/property/property.ts";
import { type FieldWords, TICKED } from "../../web/parts/field-words.ts";

export const PROPERTY_LABELS: Readonly<Record<keyof PropertyFields, string>> = {
  name: "Name",
  status: "Status",
  propertyType: "Type",
  stars: "Stars",
  street: "Street",
  postalCode: "Postal code",
  city: "City",
  country: "Country",
  timeZone: "Time zone",
  region: "Region",
  latitude: "Latitude",
  longitude: "Longitude",
  currency: "Currency",
  pricesIncludeTax: "Prices include tax",
  assumeOpen: "Treat nights as open by default",
  horizonDays: "Booking horizon (days)",
  knownPlansOnly: "Accept known rate plans only",
  checkInFrom: "Check-in from",
  checkInUntil: "Check-in until",
  checkOutUntil: "Check-out until",
  minChildAge: "Minimum child age",
  maxChildAge: "Maximum child age",
  languages: "Languages spoken",
  contactName: "Contact",
  phone: "Phone",
  email: "Email",
  website: "Website",
  description: "Description",
  notes: "Notes",
  groupName: "Group",
  externalId: "External ID",
};

/** Names fields and values in the history and in edit conflicts. */
export const PROPERTY_WORDS: FieldWords = {
  labels: PROPERTY_LABELS,
  choices: {
    status: STATUSES,
    propertyType: PROPERTY_TYPES,
    stars: STARS,
    get country() {
      return countries();
    },
    get currency() {
      return currencies();
    },
    pricesIncludeTax: TICKED,
    assumeOpen: TICKED,
    knownPlansOnly: TICKED,
  },
};

export const NEW_PROPERTY_WORDS: FieldWords = { ...PROPERTY_WORDS, labels: { code: "Code", ...PROPERTY_LABELS } };
