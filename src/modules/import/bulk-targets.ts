import type { Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import { listCategories, readCategories, readKey, streamCategories } from "../../records/category/list-store.ts";
import type { ImportedRecord } from "../../records/import/kinds.ts";
import { listProperties, readProperties, streamProperties } from "../../records/property/list-store.ts";
import { isPropertyCode } from "../../records/property/property.ts";
import type { RowCount } from "../../web/parts/list.ts";
import { readCategoryQuery } from "../category/category-query.ts";
import { readPropertyQuery } from "../property/property-query.ts";

/** A list whose rows can be edited in bulk. `fields` are the fields that a bulk edit can set. */
export type BulkTarget = {
  kind: string;
  fields: readonly string[];
  /** Names of the list's filters. */
  filters: readonly string[];
  hasFault(query: unknown): boolean;
  count(query: unknown): Promise<RowCount>;
  all(query: unknown): AsyncIterable<readonly ImportedRecord[]>;
  find(keys: readonly string[]): Promise<readonly ImportedRecord[]>;
};

type BulkDeps = { database: Database; clock: Clock };

export function bulkTargets({ database, clock }: BulkDeps): readonly BulkTarget[] {
  const propertyQuery = (query: unknown) => ({ ...readPropertyQuery(query, clock.now()), page: 1, after: undefined, before: undefined });
  const categoryQuery = (query: unknown) => ({ ...readCategoryQuery(query), page: 1, after: undefined, before: undefined });
  return [
    {
      kind: "property",
      fields: ["status", "groupName", "timeZone", "currency", "horizonDays", "pricesIncludeTax", "assumeOpen", "knownPlansOnly"],
      filters: ["q", "status", "silent"],
      hasFault: (query) => Object.keys(propertyQuery(query).faults).length > 0,
      count: async (query) => (await listProperties(database, propertyQuery(query))).count,
      all: (query) => streamProperties(database, propertyQuery(query)),
      find: (keys) => readProperties(database, keys.filter(isPropertyCode)),
    },
    {
      kind: "category",
      fields: ["status", "kind", "smoking", "accessible"],
      filters: ["q", "status", "hotelCode"],
      hasFault: (query) => Object.keys(categoryQuery(query).faults).length > 0,
      count: async (query) => (await listCategories(database, categoryQuery(query))).count,
      all: (query) => streamCategories(database, categoryQuery(query)),
      find: (keys) => readCategories(database, keys.flatMap(readKey)),
    },
  ];
}
