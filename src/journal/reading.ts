import type { PageKind } from "../calendar/attributes.ts";
import type { StoredPage } from "../calendar/draft.ts";
import { spanOf } from "../calendar/page.ts";
import type { Row, Statement, SqlValue } from "../db/database.ts";
import type { CategoryRow, PropertyRow } from "../db/schema.ts";
import { inCondition } from "../db/statements.ts";
import type { PropertyRecords, PageRequest, StoredPlan, MessageWork } from "./work.ts";
import { PLAN_COLUMNS_WITHOUT_DETAILS } from "./writing.ts";

/** Number of recent messages to compare with. Senders that repeat a message usually do so soon. */
const COMPARED_MESSAGES = 50;

export type StoredState = {
  directory: PropertyRecords;
  lastMessageAt: number | undefined;
  /** The newest of the property's last 50 messages that has the same body. Undefined if the body is empty or was not read. */
  sameAs: number | undefined;
};

export function prepareReading(work: MessageWork, hash: number): { statements: Statement[]; take(rows: readonly Row[][]): StoredState } {
  const requestedStatements = Object.entries(readStatements(work, hash)).filter((entry) => entry[1] !== undefined) as [
    QueryName,
    Statement,
  ][];
  return {
    statements: requestedStatements.map(([, statement]) => statement),
    take(rows) {
      const readings: QueryResults = {};
      for (const [index, [name]] of requestedStatements.entries()) readings[name] = rows[index]!;
      return toStoredState(readings);
    },
  };
}

type QueryName = "activity" | "property" | "categories" | "plans" | "details" | "sender" | PageKind;
type QueryResults = Partial<Record<QueryName, readonly Row[]>>;

function readStatements(work: MessageWork, hash: number): Partial<Record<QueryName, Statement | undefined>> {
  const { property, pages, distributionOf } = work;
  const activity = activityStatement(hash, work);
  if (property === undefined) return { activity };
  return {
    activity,
    property: { sql: SELECT_PROPERTY, values: [property], records: true },
    categories: { sql: SELECT_CATEGORIES, values: [property], records: true },
    plans: { sql: SELECT_PLANS, values: [property], records: true },
    details: work.planDetails ? { sql: SELECT_PLAN_DETAILS, values: [property] } : undefined,
    sender: distributionOf?.sender === undefined ? undefined : { sql: SELECT_SENDER, values: [distributionOf.sender] },
    inventory: pagesStatement(property, "inventory", pages),
    rate: pagesStatement(property, "rate", pages),
  };
}

function toStoredState({ activity, property, categories, plans, details, sender, inventory, rate }: QueryResults): StoredState {
  const { last_message_at, last_complete_set_at, last_rate_plan_set_at, distribution, same_as } = activity?.[0] ?? {};
  return {
    directory: {
      property: property?.[0] as PropertyRow | undefined,
      categories: indexByCode(categories as CategoryRow[] | undefined),
      plans: withDetails(indexByCode(plans as StoredPlan[] | undefined), details),
      completeSets: { counts: toNumber(last_complete_set_at), "rate plans": toNumber(last_rate_plan_set_at) },
      distribution: toText(sender ? sender[0]?.distribution : distribution),
      pages: [...toStoredPages("inventory", inventory), ...toStoredPages("rate", rate)],
    },
    lastMessageAt: toNumber(last_message_at),
    sameAs: toNumber(same_as),
  };
}

/** Keyed by row array, because an engine returns the same array until the records change. */
const mapsByRows = new WeakMap<readonly RowWithCode[], Map<string, RowWithCode>>();
type RowWithCode = { code: string };

function indexByCode<T extends RowWithCode>(rows: readonly T[] = NO_ROWS): ReadonlyMap<string, T> {
  return mapsByRows.getOrInsertComputed(rows, mapByCode) as Map<string, T>;
}

function mapByCode(rows: readonly RowWithCode[]): Map<string, RowWithCode> {
  return new Map(rows.map((row) => [row.code, row]));
}

const NO_ROWS: readonly never[] = [];

function withDetails(plans: PropertyRecords["plans"], details: readonly Row[] | undefined): PropertyRecords["plans"] {
  if (!details) return plans;
  const detailsByCode = new Map(details.map((row) => [row.code as string, row.details as string | null]));
  return new Map(plans.entries().map(([code, plan]) => [code, { ...plan, details: detailsByCode.get(code) ?? null }]));
}

function toText(value: SqlValue | undefined): string | undefined {
  return (value as string | null | undefined) ?? undefined;
}

function toNumber(value: SqlValue | undefined): number | undefined {
  return (value as number | null | undefined) ?? undefined;
}

const SELECT_ACTIVITY = `select last_message_at, last_complete_set_at, last_rate_plan_set_at, distribution, ${duplicateQuery("property = ?")}
  from (select 1) as one left join property_activity on property = ?`;
const SELECT_DUPLICATE = `select ${duplicateQuery("property = ''")}`;

function duplicateQuery(condition: string): string {
  const recentMessages = `select id, body_hash, request_bytes from message where ${condition} order by id desc limit ${COMPARED_MESSAGES}`;
  return `(select max(id) from (${recentMessages}) as recent where body_hash = ? and request_bytes = ? and request_bytes > 0) as same_as`;
}

function activityStatement(hash: number, { property, request }: MessageWork): Statement {
  const body = [hash, request.length];
  return property === undefined ? { sql: SELECT_DUPLICATE, values: body } : { sql: SELECT_ACTIVITY, values: [property, ...body, property] };
}

const SELECT_PROPERTY = "select * from property where code = ?";
const SELECT_CATEGORIES = "select * from category where property = ?";
const SELECT_PLANS = `select ${PLAN_COLUMNS_WITHOUT_DETAILS.join(", ")} from rate_plan where property = ?`;
/** Not marked as `records` for caching, because details are long and rarely needed. */
const SELECT_PLAN_DETAILS = "select code, details from rate_plan where property = ?";

const SELECT_SENDER = "select distribution from sender where name = ?";

const ALL = { sql: "", values: [] };

function pagesStatement(property: string, kind: PageKind, all: readonly PageRequest[]): Statement | undefined {
  const requests = all.filter((page) => page.kind === kind);
  if (requests.length === 0) return undefined;
  const category = codeCondition(
    "category",
    requests.map((request) => request.category),
  );
  const lane = codeCondition(
    LANE_COLUMNS[kind],
    requests.map((request) => request.lane),
  );
  const first = requests.reduce((least, request) => Math.min(least, spanOf(request.first)), Number.POSITIVE_INFINITY);
  const last = requests.reduce((most, request) => Math.max(most, spanOf(request.last)), Number.NEGATIVE_INFINITY);
  const sql = `select category, ${LANE_COLUMNS[kind]} as lane, span, page from ${kind}_page where property = ?${category.sql}${lane.sql} and span between ? and ?`;
  return { sql, values: [property, ...category.values, ...lane.values, first, last] };
}

const LANE_COLUMNS = { inventory: "room", rate: "plan" } as const;

function codeCondition(column: string, codes: readonly (string | undefined)[]): { sql: string; values: readonly string[] } {
  if (codes.includes(undefined)) return ALL;
  return inCondition(column, [...new Set(codes as string[])]);
}

function toStoredPages(kind: PageKind, rows: readonly Row[] = []): StoredPage[] {
  return rows.map(({ category, lane, span, page }) => ({
    kind,
    category: category as string,
    lane: lane as string,
    span: span as number,
    bytes: page as Uint8Array,
  }));
}
