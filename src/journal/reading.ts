import type { StoredPage } from "../calendar/draft.ts";
import type { Kind } from "../calendar/operation.ts";
import { spanOf } from "../calendar/page.ts";
import type { Row, Statement } from "../db/database.ts";
import type { CategoryRow, PropertyRow, RatePlanRow } from "../db/schema.ts";
import { oneOf } from "./sql.ts";
import type { Directory, PageRequest, Work } from "./work.ts";

/** Bodies that are the same within this time are noted. */
const SAME_WITHIN_MS = 30 * 86_400_000;

/** What is read for a message, under the lock of its property. */
export type Readings = {
  directory: Directory;
  /** When the last message of the property was decided. */
  lastMessageAt: number | undefined;
  /** The newest earlier message of the property with the same body. */
  sameAs: number | undefined;
  pages: StoredPage[];
};

/** The statements that read what a message needs, and how their rows are taken. */
export function readingOf(work: Work, hash: string): { statements: Statement[]; take(rows: readonly Row[][]): Readings } {
  const property = work.property;
  const same = sameBody(hash, work);
  if (property === undefined) return { statements: [same], take: ([found]) => ({ ...NOTHING_KNOWN, sameAs: sameAs(found!) }) };
  const kinds = (["inventory", "rate"] as const).filter((kind) => work.pages.some((page) => page.kind === kind));
  const statements = [same, propertyOf(property), categoriesOf(property, work.named?.categories), plansOf(property, work.named?.plans)];
  for (const kind of kinds) statements.push(pagesOf(property, kind, work.pages));
  return {
    statements,
    take: ([found, properties, categories, plans, ...pages]) => ({
      directory: directoryOf(properties!, categories!, plans!),
      lastMessageAt: (properties![0]?.last_message_at as number | null | undefined) ?? undefined,
      sameAs: sameAs(found!),
      pages: pages.flatMap((rows, index) => rows.map((row) => storedPage(kinds[index]!, row))),
    }),
  };
}

const NOTHING_KNOWN: Readings = {
  directory: { property: undefined, categories: new Map(), plans: new Map() },
  lastMessageAt: undefined,
  sameAs: undefined,
  pages: [],
};

const SAME_BODY = "select id from message where body_hash = ? and received_at >= ? and coalesce(property, '') = ? order by id desc limit 1";

function sameBody(hash: string, { property, received }: Work): Statement {
  return { sql: SAME_BODY, values: [hash, received.at - SAME_WITHIN_MS, property ?? ""] };
}

function sameAs(rows: readonly Row[]): number | undefined {
  return rows[0]?.id as number | undefined;
}

const PROPERTY = "select p.*, a.last_message_at from property p left join property_activity a on a.property = p.code where p.code = ?";

function propertyOf(property: string): Statement {
  return { sql: PROPERTY, values: [property] };
}

function categoriesOf(property: string, named: readonly string[] | undefined): Statement {
  const condition = named ? oneOf("code", named) : ALL;
  return { sql: `select * from category where property = ?${condition.sql}`, values: [property, ...condition.values] };
}

function plansOf(property: string, named: readonly string[] | undefined): Statement {
  const condition = named ? oneOf("code", named) : ALL;
  return { sql: `select * from rate_plan where property = ?${condition.sql}`, values: [property, ...condition.values] };
}

const ALL = { sql: "", values: [] };

/** One statement for a kind: every category and lane named, from the first span to the last. It may read more pages than were asked for. */
function pagesOf(property: string, kind: Kind, all: readonly PageRequest[]): Statement {
  const requests = all.filter((page) => page.kind === kind);
  const category = conditionOn(
    "category",
    requests.map((request) => request.category),
  );
  const lane = conditionOn(
    LANE[kind],
    requests.map((request) => request.lane),
  );
  const first = Math.min(...requests.map((request) => spanOf(request.first)));
  const last = Math.max(...requests.map((request) => spanOf(request.last)));
  const sql = `select category, ${LANE[kind]} as lane, span, page from ${kind}_page where property = ?${category.sql}${lane.sql} and span between ? and ?`;
  return { sql, values: [property, ...category.values, ...lane.values, first, last] };
}

const LANE = { inventory: "room", rate: "plan" } as const;

function conditionOn(column: string, codes: readonly (string | undefined)[]): { sql: string; values: readonly string[] } {
  if (codes.includes(undefined)) return ALL;
  return oneOf(column, [...new Set(codes as string[])]);
}

function storedPage(kind: Kind, { category, lane, span, page }: Row): StoredPage {
  return { kind, category: category as string, lane: lane as string, span: span as number, bytes: page as Uint8Array };
}

function directoryOf(properties: readonly Row[], categories: readonly Row[], plans: readonly Row[]): Directory {
  return {
    property: properties[0] as PropertyRow | undefined,
    categories: new Map(categories.map((row) => [row.code as string, row as CategoryRow])),
    plans: new Map(plans.map((row) => [row.code as string, row as RatePlanRow])),
  };
}
