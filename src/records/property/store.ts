import type { Kysely } from "kysely";
import type { Database } from "../../db/database.ts";
import { isDuplicate } from "../../db/faults.ts";
import { readInBatches } from "../../db/listing.ts";
import { prepareStatement } from "../../db/prepared.ts";
import { rowsOf } from "../../db/rows.ts";
import type { PropertyRow, Tables } from "../../db/schema.ts";
import { changesBetween, type RecordChange } from "../audit.ts";
import { type ChangeAuthor, type RecordUpdate, recordStore, type UpdateResult } from "../record-store.ts";
import { toNumber } from "../rules.ts";
import { propertySearchRow, writeSearchTexts } from "../search.ts";
import { withSortName, toSortName } from "../sort-name.ts";
import { PROPERTY_FIELDS, PROPERTY_FLAGS, type Property, isPropertyCode, type PropertyFields } from "./property.ts";

export async function findProperty(database: Database, code: string): Promise<Property | undefined> {
  if (!isPropertyCode(code)) return undefined;
  return findPropertyRow(database.read, code);
}

export type PropertyBrief = Pick<Property, "code" | "name" | "currency" | "timeZone" | "status" | "assumeOpen" | "horizonDays">;

export async function findPropertyBrief({ read }: Database, code: string): Promise<PropertyBrief | undefined> {
  if (!isPropertyCode(code)) return undefined;
  const [row] = await briefQuery(read, { code });
  return row && toBrief(row);
}

/** Yields all properties that are not archived, in the order of their codes. */
export async function* streamBriefs({ read }: Database): AsyncGenerator<PropertyBrief> {
  for await (const rows of readInBatches(briefsQuery(read).where("status", "<>", "archived"), { columns: ["code"], direction: "asc" }))
    yield* rows.map(toBrief);
}

const briefQuery = prepareStatement((db, { code }: { code: string }) => briefsQuery(db).where("code", "=", code));

function briefsQuery(db: Kysely<Tables>) {
  const columns = ["code", "name", "currency", "time_zone as timeZone", "status", "assume_open", "horizon_days as horizonDays"] as const;
  return db.selectFrom("property").select(columns);
}

function toBrief<Row extends { assume_open: number }>({ assume_open: assumeOpen, ...brief }: Row) {
  return { ...brief, assumeOpen: assumeOpen === 1 };
}

/** Returns the code of the active property with this name, among `codes` if given. Returns undefined if there is none or more than one. */
export async function findCodeByName({ read }: Database, name: string, codes?: readonly string[]): Promise<string | undefined> {
  if (codes?.length === 0) return undefined;
  // Sort names are indexed, and differ if the names differ.
  const namedProperties = read
    .selectFrom("property")
    .select("code")
    .where("sort_name", "=", toSortName(name))
    .where("status", "=", "active");
  const rows = await (codes ? namedProperties.where("code", "in", codes) : namedProperties).limit(2).execute();
  return rows.length === 1 ? rows[0]!.code : undefined;
}

const MAX_SUGGESTIONS = 200;

export async function suggestProperties(database: Database): Promise<{ code: string; name: string }[]> {
  return database.read
    .selectFrom("property")
    .select(["code", "name"])
    .where("status", "<>", "archived")
    .orderBy("code")
    .limit(MAX_SUGGESTIONS)
    .execute();
}

export type PropertyCategory = { code: string; name: string; rooms: number; status: string };

export async function listPropertyCategories(database: Database, code: string): Promise<PropertyCategory[]> {
  return database.read
    .selectFrom("category")
    .select(["code", "name", "rooms", "status"])
    .where("property", "=", code)
    .orderBy("sort_order")
    .orderBy("sort_name")
    .orderBy("code")
    .execute();
}

export async function createProperty(
  database: Database,
  fields: { code: string } & PropertyFields,
  change: ChangeAuthor,
): Promise<Property | undefined> {
  try {
    return await propertyRecords.create(database, fields, change);
  } catch (error) {
    if (isDuplicate(error)) return undefined;
    throw error;
  }
}

export function updateProperty(
  database: Database,
  edit: RecordUpdate<Pick<Property, "code">, PropertyFields>,
  change: ChangeAuthor,
): Promise<UpdateResult<Property> | undefined> {
  return propertyRecords.update(database, edit, change);
}

export type PropertyActivity = {
  lastMessageAt: number;
  lastCompleteSetAt: number | undefined;
  lastRatePlanSetAt: number | undefined;
};

export async function findActivity(database: Database, code: string): Promise<PropertyActivity | undefined> {
  const row = await database.read.selectFrom("property_activity").selectAll().where("property", "=", code).executeTakeFirst();
  return (
    row && {
      lastMessageAt: row.last_message_at,
      lastCompleteSetAt: row.last_complete_set_at ?? undefined,
      lastRatePlanSetAt: row.last_rate_plan_set_at ?? undefined,
    }
  );
}

export function propertySubject(code: string): string {
  return `property:${code}`;
}

/** Returns the history entry for a property changed by a message. */
export function propertyChange(before: PropertyRow, row: PropertyRow): RecordChange {
  const changes = changesBetween(fromRow(before), fromRow(row), PROPERTY_FIELDS);
  return { action: "update", subject: propertySubject(row.code), changes };
}

const propertyRecords = recordStore<Pick<Property, "code">, PropertyFields>({
  propertyOf: ({ code }) => code,
  partOf: () => ({}),
  subjectOf: ({ code }) => propertySubject(code),
  fields: PROPERTY_FIELDS,
  find: (db, { code }) => findPropertyRow(db, code),
  async insert(db, property) {
    await db
      .insertInto("property")
      .values(withSortName(toRow(property)))
      .execute();
  },
  async replace(db, property) {
    const update = db.updateTable("property").set(withSortName(toRow(property)));
    await update.where("code", "=", property.code).execute();
  },
  searchStatements: (property) => writeSearchTexts([propertySearchRow(toRow(property))]),
});

async function findPropertyRow(db: Kysely<Tables>, code: string): Promise<Property | undefined> {
  const row = await db.selectFrom("property").selectAll().where("code", "=", code).executeTakeFirst();
  return row && fromRow(row);
}

const propertyRows = rowsOf<Property>(["code", ...PROPERTY_FIELDS, "version", "createdAt", "updatedAt"], PROPERTY_FLAGS);
export const { toRow, fromRow } = propertyRows;

export const PROPERTY_COLUMNS = [...propertyRows.columns, "sort_name"] as const;

/** A property in JSON and CSV. Coordinates are numbers here, but the record stores them as typed. */
export type ExportedProperty = Omit<Property, "latitude" | "longitude"> & { latitude: number | undefined; longitude: number | undefined };

export function toExported({ latitude, longitude, ...property }: Property): ExportedProperty {
  return { ...property, latitude: toNumber(latitude), longitude: toNumber(longitude) };
}
