import { type Kysely, sql } from "kysely";
import type { Database } from "../db/database.ts";
import { type RowCount, countQuery, toCount } from "../db/listing.ts";
import { prepareStatement } from "../db/prepared.ts";
import type { Tables } from "../db/schema.ts";

export async function countRecords({ read }: Database, table: "property" | "category"): Promise<RowCount> {
  const [found] = await recordQueries[table](read, {});
  return toCount(found!.count);
}

const recordQueries = {
  property: prepareStatement((db) => countQuery(db, listedProperties(db))),
  category: prepareStatement((db) => countQuery(db, categoriesQuery(db))),
};

/** Selects the codes of archived properties, which lists leave out by default. */
export function archivedProperties(db: Kysely<Tables>) {
  return db.selectFrom("property").select("code").where("status", "=", sql.lit("archived"));
}

function listedProperties(db: Kysely<Tables>) {
  return db.selectFrom("property").select("code as key").where("status", "<>", "archived");
}

function categoriesQuery(db: Kysely<Tables>) {
  return db.selectFrom("category").select("code as key").where("property", "not in", archivedProperties(db));
}

export type RecordTotals = Readonly<Record<"properties" | "categories" | "errors" | "openGroups", RowCount>>;

/** Counts up to 2,000 of each. Error entries are those from `since` to `now`, in milliseconds since 1970. */
export async function countTotals({ read }: Database, since: number, now: number): Promise<RecordTotals> {
  const [found] = await totalsQuery(read, { since, now });
  const { properties, categories, errors, openGroups } = found!;
  return {
    properties: toCount(properties),
    categories: toCount(categories),
    errors: toCount(errors),
    openGroups: toCount(openGroups),
  };
}

const totalsQuery = prepareStatement((db, { since, now }: { since: number; now: number }) => {
  const errors = db.selectFrom("error_entry").where((of) => of.between("at", since, now));
  return db.selectNoFrom([
    countQuery(db, listedProperties(db)).$asScalar().$notNull().as("properties"),
    countQuery(db, db.selectFrom("category").select("code as key")).$asScalar().$notNull().as("categories"),
    countQuery(db, errors.select("id as key")).$asScalar().$notNull().as("errors"),
    countQuery(db, db.selectFrom("error_group").select("id as key").where("state", "=", "open"))
      .$asScalar()
      .$notNull()
      .as("openGroups"),
  ]);
});
