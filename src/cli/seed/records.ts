import type { CategoryRow, PropertyRow, RatePlanRow } from "../../db/schema.ts";
import { newCategoryForm } from "../../records/category/category.ts";
import { toRow as categoryToRow } from "../../records/category/store.ts";
import { newPropertyForm } from "../../records/property/property.ts";
import { toRow as propertyToRow } from "../../records/property/store.ts";

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

const UNEDITED = { version: 1, createdAt: 0, updatedAt: 0 };

/** A property with nothing but what every property has: what its form says where a person types no more than a name. */
export const PLAIN_PROPERTY: PropertyRow = propertyToRow({ ...newPropertyForm.parse({ code: "PLAIN", name: "Hotel" }), ...UNEDITED });

/** A category likewise, with some rooms. */
export const PLAIN_CATEGORY: CategoryRow = categoryToRow({
  ...newCategoryForm.parse({ hotelCode: "PLAIN", code: "PLAIN", name: "Category", rooms: "5" }),
  ...UNEDITED,
});
