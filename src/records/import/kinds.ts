import { z } from "zod";
import type { Row, Statement, SqlValue } from "../../db/database.ts";
import type { CategoryRow, PropertyRow, RatePlanRow, SearchTextRow } from "../../db/schema.ts";
import { type Choices, normalCode } from "../../text.ts";
import { CATEGORY_FIELDS, CATEGORY_FLAGS, CATEGORY_WORDS, type Category, categoryForm, newCategoryForm } from "../category/category.ts";
import { categorySubject, fromRow as categoryFromRow, toRow as categoryToRow } from "../category/store.ts";
import { newPlanForm, type Plan, PLAN_FIELDS, PLAN_WORDS, planForm } from "../plan/plan.ts";
import { fromRow as planFromRow, toNewRow as planToRow, planSubject } from "../plan/store.ts";
import {
  isPropertyCode,
  newPropertyForm,
  type Property,
  PROPERTY_FIELDS,
  PROPERTY_FLAGS,
  PROPERTY_WORDS,
  propertyForm,
} from "../property/property.ts";
import { referenceRemovals } from "../property/references.ts";
import { fromRow as propertyFromRow, propertySubject, toExported, toRow as propertyToRow } from "../property/store.ts";
import { categorySearchRow, planSearchRow, propertySearchRow } from "../search.ts";
import { withSortName } from "../sort-name.ts";

export type FieldValue = string | number | boolean | undefined;

/** The fields of a record, with its code and, for a category or rate plan, the code of its property. */
export type ImportedRecord = Readonly<Record<string, FieldValue>>;

export type StoredRecord = ImportedRecord & { version: number; createdAt: number; updatedAt: number };

/** `code` is empty for a property. */
export type RecordKey = { property: string; code: string };

/** A record type that can be imported. To add a type, add an entry to `IMPORT_KINDS`. */
export type ImportKind = {
  name: string;
  /** The singular and plural, such as “property” and “properties”. */
  one: string;
  many: string;
  keys: readonly string[];
  fields: readonly string[];
  flags: readonly string[];
  labels: Readonly<Record<string, string>>;
  choices: Readonly<Record<string, () => Choices>>;
  /** Fields by alternative column name, in lower case without spaces. */
  aliases: Readonly<Record<string, string>>;
  newForm: z.ZodType<ImportedRecord>;
  editForm: z.ZodType<ImportedRecord>;
  keyOf(record: ImportedRecord): RecordKey;
  subjectOf(key: RecordKey): string;
  /** The category or plan that the change feed reports. */
  partOf(key: RecordKey): { category?: string; plan?: string };
  /** Whether stored prices are in the record's currency. */
  hasPrices: boolean;
  /** Returns the record as exported from lists. */
  exported(record: StoredRecord): StoredRecord;
  table: {
    name: "property" | "category" | "rate_plan";
    columns: readonly string[];
    /** The column with the time at which the record was created. */
    created: "created_at" | "first_seen_at";
    valuesOf(key: RecordKey): readonly SqlValue[];
    fromRow(row: Row): StoredRecord;
    toRow(record: StoredRecord): Row;
    /** Columns that an import doesn't change in existing records. */
    kept: readonly string[];
    searchText(row: Row): SearchTextRow;
    /** Tables that refer to the record, with the columns of its key. A record that these tables refer to can't be deleted. */
    dependents: readonly { table: string; columns: readonly string[]; problem: string }[];
    /** Deletes the record's derived data, and references that don't prevent its deletion. */
    remove(key: RecordKey): readonly Statement[];
  };
};

const property: ImportKind = {
  name: "property",
  one: "property",
  many: "properties",
  keys: ["code"],
  fields: PROPERTY_FIELDS,
  flags: PROPERTY_FLAGS,
  labels: { code: "Code", ...PROPERTY_WORDS.labels },
  choices: PROPERTY_WORDS.choices,
  aliases: {
    hotelcode: "code",
    propertycode: "code",
    hotel: "name",
    hotelname: "name",
    propertyname: "name",
    zip: "postalCode",
    url: "website",
  },
  newForm: newPropertyForm,
  editForm: propertyForm,
  keyOf: ({ code }) => ({ property: String(code ?? ""), code: "" }),
  subjectOf: (key) => propertySubject(key.property),
  partOf: () => ({}),
  hasPrices: true,
  exported: (record) => toExported(record as Property),
  table: {
    name: "property",
    columns: ["code"],
    created: "created_at",
    valuesOf: (key) => [key.property],
    fromRow: (row) => propertyFromRow(row as PropertyRow),
    toRow: (record) => withSortName(propertyToRow(record as Property)),
    kept: [],
    searchText: (row) => propertySearchRow(row as PropertyRow),
    dependents: [
      { table: "category", columns: ["property"], problem: "it has categories" },
      { table: "rate_plan", columns: ["property"], problem: "it has rate plans" },
      { table: "property_activity", columns: ["property"], problem: "it has received messages" },
    ],
    remove: ({ property: code }) => [{ sql: "delete from night_summary where property = ?", values: [code] }, ...referenceRemovals(code)],
  },
};

const category: ImportKind = {
  name: "category",
  one: "category",
  many: "categories",
  keys: ["hotelCode", "code"],
  fields: CATEGORY_FIELDS,
  flags: CATEGORY_FLAGS,
  labels: { hotelCode: "Property", code: "Code", ...CATEGORY_WORDS.labels },
  choices: CATEGORY_WORDS.choices,
  aliases: {
    propertycode: "hotelCode",
    hotel: "hotelCode",
    categorycode: "code",
    roomcode: "code",
    categoryname: "name",
    roomtype: "name",
  },
  newForm: newCategoryForm,
  editForm: categoryForm,
  keyOf: ({ hotelCode, code }) => ({ property: String(hotelCode ?? ""), code: normalCode(String(code ?? "")) }),
  subjectOf: (key) => categorySubject({ hotelCode: key.property, code: key.code }),
  partOf: ({ code }) => ({ category: code }),
  hasPrices: false,
  exported: (record) => record,
  table: {
    name: "category",
    columns: ["property", "code"],
    created: "created_at",
    valuesOf: (key) => [key.property, key.code],
    fromRow: (row) => categoryFromRow(row as CategoryRow),
    toRow: (record) => withSortName(categoryToRow(record as unknown as Category)),
    kept: [],
    searchText: (row) => categorySearchRow(row as CategoryRow),
    dependents: [
      { table: "inventory_page", columns: ["property", "category"], problem: "it has inventories" },
      { table: "rate_page", columns: ["property", "category"], problem: "it has rates" },
    ],
    remove: () => [],
  },
};

const plan: ImportKind = {
  name: "plan",
  one: "rate plan",
  many: "rate plans",
  keys: ["property", "code"],
  fields: PLAN_FIELDS,
  flags: [],
  labels: { property: "Property", code: "Code", ...PLAN_WORDS.labels },
  choices: PLAN_WORDS.choices,
  aliases: { propertycode: "property", hotelcode: "property", hotel: "property", plancode: "code", rateplancode: "code", rateplan: "code" },
  newForm: newPlanForm.extend({ property: z.string().default("").refine(isPropertyCode, "Enter the code of an existing property") }),
  editForm: planForm,
  keyOf: (record) => ({ property: String(record.property ?? ""), code: normalCode(String(record.code ?? "")) }),
  subjectOf: planSubject,
  partOf: ({ code }) => ({ plan: code }),
  hasPrices: false,
  exported: (record) => record,
  table: {
    name: "rate_plan",
    columns: ["property", "code"],
    created: "first_seen_at",
    valuesOf: (key) => [key.property, key.code],
    fromRow: (row) => planFromRow(row as RatePlanRow),
    toRow: (record) => planToRow(record as unknown as Plan),
    kept: ["price_basis", "taxes", "details", "sender", "first_seen_at", "last_seen_at"],
    searchText: (row) => planSearchRow(row as RatePlanRow),
    dependents: [{ table: "rate_page", columns: ["property", "plan"], problem: "it has rates" }],
    remove: () => [],
  },
};

export const IMPORT_KINDS: readonly ImportKind[] = [property, category, plan];

export function findKind(name: string): ImportKind | undefined {
  return IMPORT_KINDS.find((kind) => kind.name === name);
}

/** Returns an unambiguous string, because codes contain no slash. */
export function keyText({ property: hotel, code }: RecordKey): string {
  return code === "" ? hotel : `${hotel}/${code}`;
}
