import { type FieldWords, TICKED } from "../../web/parts/field-words.ts";
import { countries, currencies, PROPERTY_TYPES, STARS, STATUSES } from "./choices.ts";
import type { PropertyFields } from "./property.ts";

/** What people call each field of a property. */
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
  assumeOpen: "Nights without any message count as open",
  horizonDays: "Days sold ahead",
  knownPlansOnly: "Accept known rate plans only",
  checkInFrom: "Check-in from",
  checkInUntil: "Check-in until",
  checkOutUntil: "Check-out until",
  minChildAge: "Children from age",
  maxChildAge: "Children up to age",
  languages: "Languages spoken",
  contactName: "Contact",
  phone: "Phone",
  email: "E-mail",
  website: "Website",
  description: "Description",
  notes: "Notes",
  groupName: "Group",
  externalId: "External id",
};

/** How the history and a conflict word what is in the fields. */
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

/** The same with the key, which only a new property takes. */
export const NEW_PROPERTY_WORDS: FieldWords = { ...PROPERTY_WORDS, labels: { code: "Code", ...PROPERTY_LABELS } };
