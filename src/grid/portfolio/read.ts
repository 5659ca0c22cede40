import { fractionDigits } from "../../calendar/money.ts";
import { BLOCK_NIGHTS, blockOf, decodeSummary, EMPTY_BLOCK_ID, type NightSummary, PROBLEM_BITS } from "../../calendar/night-summary.ts";
import { type Night, todayIn } from "../../calendar/night.ts";
import type { Database } from "../../db/database.ts";
import { pageRows } from "../../db/listing.ts";
import { type SummaryBacklog, findBacklog } from "../../journal/summary/refresh.ts";
import { readBlocks } from "../../journal/summary/store.ts";
import type { RowCount } from "../../web/parts/list.ts";
import type { GridSources, PortfolioProperty } from "../context.ts";
import type { PortfolioQuery } from "./query.ts";

/** One night of a property. `isOpen` is true from today to the end of the booking horizon. */
export type PortfolioNight = NightSummary & { night: Night; isOpen: boolean };

export type PortfolioLine = PortfolioProperty & { nights: readonly PortfolioNight[] };

export type Portfolio = {
  lines: readonly PortfolioLine[];
  count: RowCount;
  backlog: SummaryBacklog;
  choices: { groups: string[]; countries: string[] };
};

type PortfolioDeps = Pick<GridSources, "database" | "clock" | "portfolio">;

/**
 * Reads one page of matching properties. A background task keeps the summaries up to date; `backlog` describes the changes that it hasn't
 * processed yet.
 */
export async function readPortfolio(sources: PortfolioDeps, query: PortfolioQuery): Promise<Portfolio> {
  const { database, portfolio } = sources;
  const { lines, count } = await readPart(sources, query);
  return { lines, count, backlog: await findBacklog(database), choices: await portfolio.listGroupsAndCountries(database) };
}

/** Reads one part of the list. With `after`, the JSON list is sorted by code and starts after that code. */
async function readPart(sources: PortfolioDeps, query: PortfolioQuery): Promise<Pick<Portfolio, "lines" | "count">> {
  const { format, after, problem } = query;
  if (format !== "json" || after === undefined)
    return problem === undefined ? readPage(sources, query) : cutPage(await readMatching(sources, query), query);
  const all = await readMatching(sources, { ...query, sort: "code", direction: "asc" });
  const remainingProperties = all.filter(({ code }) => code > after);
  return { lines: remainingProperties.slice(0, query.size), count: { total: all.length, exact: true } };
}

async function readPage({ database, clock, portfolio }: PortfolioDeps, query: PortfolioQuery) {
  const { lines, count } = await portfolio.listPage(database, query);
  const nightsOf = await readNights(
    database,
    query,
    lines.map(({ code }) => code),
  );
  return { lines: lines.map((line) => withNights(line, query, { nightsOf, now: clock.now() })), count };
}

function cutPage(lines: readonly PortfolioLine[], query: PortfolioQuery): Pick<Portfolio, "lines" | "count"> {
  return { lines: pageRows(lines, query), count: { total: lines.length, exact: true } };
}

/** Returns all properties that match the filters. If filtered by problem, they must have the problem on at least one of the nights. */
export async function readMatching({ database, clock, portfolio }: PortfolioDeps, query: PortfolioQuery): Promise<PortfolioLine[]> {
  const [lines, nightsOf] = await Promise.all([portfolio.listAll(database, query), readNights(database, query)]);
  const now = clock.now();
  const matchingLines: PortfolioLine[] = [];
  for (const line of lines) {
    const lineWithNights = withNights(line, query, { nightsOf, now });
    if (query.problem === undefined || lineWithNights.nights.some((night) => hasProblem(night, line, query)))
      matchingLines.push(lineWithNights);
  }
  return matchingLines;
}

function hasProblem({ isOpen, price, problems }: PortfolioNight, { currency }: PortfolioProperty, query: PortfolioQuery): boolean {
  if (!isOpen || query.problem === undefined) return false;
  if (query.problem !== "price") return (problems & PROBLEM_BITS[query.problem]) !== 0;
  const units = price === undefined ? undefined : price / 10 ** fractionDigits(currency);
  return units !== undefined && (units < (query.priceMin ?? 0) || units > (query.priceMax ?? Infinity));
}

export async function readLine(
  { database, clock }: Pick<GridSources, "database" | "clock">,
  property: PortfolioProperty,
  range: NightSpan,
): Promise<PortfolioLine> {
  return withNights(property, range, { nightsOf: await readNights(database, range, [property.code]), now: clock.now() });
}

type NightSpan = Pick<PortfolioQuery, "first" | "nights">;

type FindNightSummary = (property: string, night: Night) => NightSummary;

const NO_SUMMARY: NightSummary = { rooms: undefined, price: undefined, problems: 0 };

/** Reads the summaries of the given properties, or of all. */
async function readNights(database: Database, { first, nights }: NightSpan, properties?: readonly string[]): Promise<FindNightSummary> {
  const lastBlock = blockOf(first + nights - 1);
  const blocks = [EMPTY_BLOCK_ID];
  for (let block = blockOf(first); block <= lastBlock; block++) blocks.push(block);
  const packedBlocks = new Map<string, Uint8Array>();
  for (const { block, property, nights: packed } of await readBlocks(database, blocks, properties))
    packedBlocks.set(`${block} ${property}`, packed);
  return (property, night) => {
    const packedBlock = packedBlocks.get(`${blockOf(night)} ${property}`);
    if (packedBlock) return decodeSummary(packedBlock, night % BLOCK_NIGHTS);
    const emptySummary = packedBlocks.get(`${EMPTY_BLOCK_ID} ${property}`);
    return emptySummary ? decodeSummary(emptySummary, 0) : NO_SUMMARY;
  };
}

type ReadContext = { nightsOf: FindNightSummary; now: number };

function withNights(line: PortfolioProperty, { first, nights }: NightSpan, { nightsOf, now }: ReadContext): PortfolioLine {
  const today = todayIn(line.timeZone, now);
  return {
    ...line,
    nights: Array.from({ length: nights }, (_, index) => {
      const night = first + index;
      const isOpen = night >= today && night <= today + line.horizonDays;
      const summary = nightsOf(line.code, night);
      return { ...summary, price: isOpen ? summary.price : undefined, night, isOpen };
    }),
  };
}
