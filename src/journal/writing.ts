import type { AppliedChanges, ChangedPage } from "../calendar/apply.ts";
import type { PageKind } from "../calendar/attributes.ts";
import type { Statement, SqlValue } from "../db/database.ts";
import type { CategoryRow, MessageRow, PropertyActivityRow, PropertyRow, RatePlanRow } from "../db/schema.ts";
import { type InsertTemplate, insertRows } from "../db/statements.ts";
import { CATEGORY_COLUMNS } from "../records/category/store.ts";
import { PROPERTY_COLUMNS } from "../records/property/store.ts";
import { categorySearchRow, planSearchRow, propertySearchRow, writeSearchTexts } from "../records/search.ts";
import { withSortName } from "../records/sort-name.ts";
import type { PackedBodies } from "./body.ts";
import { packUndos, type PageUndo } from "./undo-store.ts";
import type { CompleteSet, StoredPlan } from "./work.ts";

const UPSERT_PAGE: Record<PageKind, InsertTemplate & { remove: string }> = {
  inventory: {
    into: "insert into inventory_page (property, category, room, span, page, updated_at)",
    columns: 6,
    conflict: " on conflict (property, category, room, span) do update set page = excluded.page, updated_at = excluded.updated_at",
    remove: "delete from inventory_page where property = ? and category = ? and room = ? and span = ?",
  },
  rate: {
    into: "insert into rate_page (property, category, plan, span, page, updated_at)",
    columns: 6,
    conflict: " on conflict (property, category, plan, span) do update set page = excluded.page, updated_at = excluded.updated_at",
    remove: "delete from rate_page where property = ? and category = ? and plan = ? and span = ?",
  },
};

const INSERT_UNDO = "insert into night_undo (message, message_property, at, undo) values (?, ?, ?, ?)";

export type NightsWrite = { property: string; message: number; at: number };

export function writeNights({ pages }: AppliedChanges, { property, message, at }: NightsWrite): Statement[] {
  const undos = pages.filter((page) => page.undo !== undefined) as PageUndo[];
  const undo = undos.length === 0 ? [] : [{ sql: INSERT_UNDO, values: [message, property, at, packUndos(undos)] }];
  return [...writePages("inventory", pages, { property, at }), ...writePages("rate", pages, { property, at }), ...undo];
}

function writePages(kind: PageKind, pages: readonly ChangedPage[], { property, at }: { property: string; at: number }): Statement[] {
  const { remove } = UPSERT_PAGE[kind];
  const keptPages: SqlValue[][] = [];
  const deleteStatements: Statement[] = [];
  for (const { kind: own, category, lane, span, bytes } of pages) {
    if (own !== kind) continue;
    if (bytes) keptPages.push([property, category, lane, span, bytes, at]);
    else deleteStatements.push({ sql: remove, values: [property, category, lane, span] });
  }
  return [...insertRows(UPSERT_PAGE[kind], keptPages), ...deleteStatements];
}

const PLAN_COLUMNS = allColumns<RatePlanRow>()([
  ...["property", "code", "name", "currency", "price_basis", "meal_plan", "taxes", "status", "details", "sender", "first_seen_at"],
  ...["last_seen_at", "parent_note", "version", "updated_at"],
] as const);

const MESSAGE_COLUMNS = allColumns<MessageRow>()([
  ...["id", "received_at", "property", "sender", "via", "transport", "root", "action", "outcome", "status", "micros", "request_bytes"],
  ...["answer_bytes", "lines", "changed_nights", "last_night", "dry_run", "echo_token", "stamp", "remote", "body_hash", "same_as"],
  ...["summary", "pruned"],
] as const);

const UPDATE_PROPERTY = `update property set ${PROPERTY_COLUMNS.map((column) => `${column} = ?`).join(", ")} where code = ?`;
const UPSERT_CATEGORY = upsertInto("category", CATEGORY_COLUMNS);
const UPSERT_PLAN = upsertInto("rate_plan", PLAN_COLUMNS);
export const PLAN_COLUMNS_WITHOUT_DETAILS: readonly (keyof RatePlanRow)[] = PLAN_COLUMNS.filter((column) => column !== "details");
const UPSERT_PLAN_WITHOUT_DETAILS = upsertInto("rate_plan", PLAN_COLUMNS_WITHOUT_DETAILS);
const INSERT_MESSAGE: InsertTemplate = {
  into: `insert into message (${MESSAGE_COLUMNS.join(", ")})`,
  columns: MESSAGE_COLUMNS.length,
  conflict: "",
};

export function writeProperty(row: PropertyRow): Statement[] {
  const rowWithSortName = withSortName(row);
  const values = [...PROPERTY_COLUMNS.map((column) => rowWithSortName[column]), row.code];
  return [{ sql: UPDATE_PROPERTY, values, records: true }, ...writeSearchTexts([propertySearchRow(row)])];
}

export function writeCategories(rows: readonly CategoryRow[]): Statement[] {
  const insertStatements = insertRows(
    UPSERT_CATEGORY,
    rows.map(withSortName).map((row) => CATEGORY_COLUMNS.map((column) => row[column])),
  );
  return [...insertStatements, ...writeSearchTexts(rows.map(categorySearchRow))];
}

/** Returns the statements that store rate plans. Keeps a plan's stored details if they were not read. */
export function writePlans(rows: readonly StoredPlan[]): Statement[] {
  const rowsWithDetails = rows.filter((row) => row.details !== undefined);
  const rowsWithoutDetails = rows.filter((row) => row.details === undefined);
  const planValues = (row: StoredPlan, columns: typeof PLAN_COLUMNS) => columns.map((column) => row[column] ?? null);
  return [
    ...insertRows(
      UPSERT_PLAN,
      rowsWithDetails.map((row) => planValues(row, PLAN_COLUMNS)),
    ),
    ...insertRows(
      UPSERT_PLAN_WITHOUT_DETAILS,
      rowsWithoutDetails.map((row) => planValues(row, PLAN_COLUMNS_WITHOUT_DETAILS)),
    ),
    ...writeSearchTexts(rows.map(planSearchRow)),
  ];
}

export function writeMessage(row: MessageRow): Statement[] {
  return insertRows(INSERT_MESSAGE, [MESSAGE_COLUMNS.map((column) => row[column])]);
}

const INSERT_BODY = "insert into message_body (message, message_property, encoding, request, answer, notes) values (?, ?, ?, ?, ?, ?)";

export function writeBodies({ id, property }: MessageRow, { encoding, request, answer }: PackedBodies, notes: string): Statement {
  return { sql: INSERT_BODY, values: [id, property, encoding, request, answer, notes] };
}

const UPSERT_ACTIVITY = `insert into property_activity (property, last_message_at) values (?, ?)
  on conflict (property) do update set last_message_at = excluded.last_message_at`;

const SET_ACTIVITY: Readonly<Record<CompleteSet, string>> = {
  counts: setActivity("last_complete_set_at"),
  "rate plans": setActivity("last_rate_plan_set_at"),
};

function setActivity(column: keyof PropertyActivityRow): string {
  return `insert into property_activity (property, last_message_at, ${column}) values (?, ?, ?)
  on conflict (property) do update set last_message_at = excluded.last_message_at, ${column} = excluded.${column}`;
}

/** Returns the statement that stores a distribution code, unless one is already stored. */
export function writeDistribution(code: string, { sender, property }: { sender: string | undefined; property: string }): Statement {
  return sender === undefined ? { sql: SET_PROPERTY_CODE, values: [code, property] } : { sql: SET_SENDER_CODE, values: [code, sender] };
}

const SET_SENDER_CODE = "update sender set distribution = ? where name = ? and distribution is null";
const SET_PROPERTY_CODE = "update property_activity set distribution = ? where property = ? and distribution is null";

export function writeActivity(property: string, at: number, completeSet: CompleteSet | undefined): Statement {
  return completeSet ? { sql: SET_ACTIVITY[completeSet], values: [property, at, at] } : { sql: UPSERT_ACTIVITY, values: [property, at] };
}

function upsertInto(table: string, columns: readonly string[]): InsertTemplate {
  const updatableColumns = columns.filter((column) => !["property", "code", "created_at", "first_seen_at"].includes(column));
  return {
    into: `insert into ${table} (${columns.join(", ")})`,
    columns: columns.length,
    records: true,
    conflict: ` on conflict (property, code) do update set ${updatableColumns.map((column) => `${column} = excluded.${column}`).join(", ")}`,
  };
}

/** Returns all columns of a row type. A column missing from the list is a compile error. */
function allColumns<Row>() {
  return <Columns extends readonly (keyof Row)[]>(
    columns: Columns & (Exclude<keyof Row, Columns[number]> extends never ? unknown : Exclude<keyof Row, Columns[number]>),
  ): readonly (keyof Row)[] => columns;
}
