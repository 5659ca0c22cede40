import type { CategoryRow, PropertyRow, RatePlanRow } from "../../db/schema.ts";

/** Towns and names to tell seeded properties apart at a glance. */
const TOWNS = ["Merano", "Innsbruck", "Bergen", "Porto", "Kyoto", "Galway", "Tartu", "Valparaíso", "Tromsø", "Lucca"];
const NAMES = ["Hotel Aurora", "Pension Linde", "The Old Mill", "Casa Verde", "Harbour House", "Alpenblick", "Villa Rosa", "Station Hotel"];
const CATEGORIES = ["Single", "Double", "Twin", "Triple", "Family room", "Junior suite", "Suite", "Apartment", "Dormitory", "Loft"];
const PLANS = ["BAR", "NRF", "HB"];

/** Code of a seeded property: `SEED00001`. */
export function propertyCode(index: number): string {
  return `SEED${String(index + 1).padStart(5, "0")}`;
}

/** Code of a seeded category: `C01`. */
export function categoryCode(index: number): string {
  return `C${String(index + 1).padStart(2, "0")}`;
}

/** Codes of the first `count` rate plans. */
export function planCodes(count: number): string[] {
  return Array.from({ length: count }, (_, index) => PLANS[index] ?? `PLAN${index + 1}`);
}

/** The property of this index, counted from 0; `now` in milliseconds since 1970. */
export function propertyRow(index: number, now: number): PropertyRow {
  return {
    ...PLAIN_PROPERTY,
    stars: 3,
    code: propertyCode(index),
    name: `${NAMES[index % NAMES.length]} ${index + 1}`,
    city: TOWNS[index % TOWNS.length]!,
    created_at: now,
    updated_at: now,
  };
}

/** The category of this index of a property, counted from 0. */
export function categoryRow(property: string, index: number, now: number): CategoryRow {
  const name = CATEGORIES[index % CATEGORIES.length]!;
  const guests = 1 + (index % 4);
  return {
    ...PLAIN_CATEGORY,
    property,
    code: categoryCode(index),
    name: index < CATEGORIES.length ? name : `${name} ${index + 1}`,
    standard_occupancy: guests,
    max_occupancy: guests + 1,
    rooms: 5 + (index % 7),
    sort_order: index,
    created_at: now,
    updated_at: now,
  };
}

/** A rate plan as a message that names it makes it. */
export function planRow(property: string, code: string, now: number): RatePlanRow {
  const absent = { price_basis: null, meal_plan: null, taxes: null, details: null };
  return {
    property,
    code,
    name: null,
    currency: "EUR",
    status: "active",
    sender: "seed",
    first_seen_at: now,
    last_seen_at: now,
    ...absent,
  };
}

/** A property with nothing but what every property has. */
export const PLAIN_PROPERTY: PropertyRow = {
  code: "",
  name: "Hotel",
  status: "active",
  currency: "EUR",
  time_zone: "UTC",
  country: null,
  street: null,
  city: null,
  region: null,
  postal_code: null,
  latitude: null,
  longitude: null,
  phone: null,
  email: null,
  website: null,
  contact_name: null,
  property_type: "20",
  stars: null,
  check_in_from: null,
  check_in_until: null,
  check_out_until: null,
  languages: null,
  assume_open: 1,
  known_plans_only: 0,
  horizon_days: 750,
  prices_include_tax: 1,
  min_child_age: null,
  max_child_age: null,
  description: null,
  notes: null,
  group_name: null,
  external_id: null,
  version: 1,
  created_at: 0,
  updated_at: 0,
};

/** A category with nothing but what every category has. */
export const PLAIN_CATEGORY: CategoryRow = {
  property: "",
  code: "",
  name: "",
  standard_occupancy: 2,
  max_occupancy: 2,
  rooms: 5,
  sort_order: 0,
  description: null,
  kind: "room",
  min_occupancy: 1,
  max_adults: null,
  max_children: null,
  max_infants: null,
  room_names: null,
  size: null,
  beds: null,
  smoking: 0,
  accessible: 0,
  amenities: null,
  photos: null,
  status: "active",
  version: 1,
  created_at: 0,
  updated_at: 0,
};
