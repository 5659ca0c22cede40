import type { FastifyInstance, FastifyReply } from "fastify";
import { parseNight } from "../calendar/night.ts";
import type { Database } from "../db/database.ts";
import { findHistoryStart } from "../journal/nights.ts";
import { type CsvColumn, sendCsv } from "../web/csv.ts";
import { requireNamedProperty, requireProperty } from "../web/guard/grant.ts";
import { findOwner } from "../web/guard/owner.ts";
import { type Html, html, emptyHtml } from "../web/html.ts";
import { sendFaults, sendJson } from "../web/json.ts";
import { readQuery } from "../web/negotiate.ts";
import { sendPage, sendPart } from "../web/page.ts";
import { readListQuery } from "../web/parts/list.ts";
import { gridNights } from "../web/parts/property-header.ts";
import { path } from "../web/path.ts";
import { comparedColumns } from "./compare-csv.ts";
import { comparisonJson } from "./compare-json.ts";
import type { ShownComparison } from "./compare-page.ts";
import { type ComparedRows, countDifferences, type GridDifferences, otherContext, readDifferences, withDifferences } from "./compare.ts";
import { limitToNight, type GridContext, type GridSources, openProperty } from "./context.ts";
import { nightDetail, nightJson, type NightSubject, type SelectedNight } from "./night-detail.ts";
import { type GridContent, gridPage } from "./page.ts";
import { nightJson as nightSummaryJson, portfolioColumns, portfolioJson, portfolioRows } from "./portfolio/export.ts";
import { portfolioPage, type PortfolioLabels } from "./portfolio/page.ts";
import { type Measure, MEASURE_CHOICES, type PortfolioQuery, readPortfolioQuery } from "./portfolio/query.ts";
import { readMatching, readPortfolio } from "./portfolio/read.ts";
import { readPropertyPage } from "./property-page.ts";
import { type GridQuery, readGridQuery } from "./query.ts";
import { findGridRows, recentChanges, type RowSource } from "./rows.ts";
import { selectionPanel } from "./selection-panel.ts";
import { type SaleNight, selectionSummary } from "./selection-summary.ts";
import { isSelected, isNightSelected } from "./selection.ts";
import { readSnapshotQuery, sendSnapshot } from "./snapshot.ts";
import { withChangeMarks } from "./table.ts";
import { yearPage } from "./year/page.ts";
import { readYear } from "./year/read.ts";

/** The differences between `/inventories` and `/rates`. A `Line` is a CSV row for one night. */
export type GridView<Row, Line extends { night: string }> = PortfolioLabels & {
  about: string;
  rows: RowSource<Row>;
  compared: ComparedRows<Row>;
  saleOf(row: Row, index: number): SaleNight;
  columns: readonly CsvColumn<Line>[];
  /** Lists all nights of the first row, then all nights of the second, and so on. */
  linesOf(context: GridContext, rows: readonly Row[]): readonly Line[];
  json(context: GridContext, rows: readonly Row[]): object | Promise<object>;
  content(context: GridContext, rows: readonly Row[]): GridContent | Promise<GridContent>;
  subjectOf(context: GridContext, rows: readonly Row[]): NightSubject;
};

export function registerGrid<Row, Line extends { night: string }>(
  app: FastifyInstance,
  sources: GridSources,
  view: GridView<Row, Line>,
): void {
  const base = path`/${view.section}`;
  app.get(
    base.text,
    { config: { about: view.about, etag: true, tokens: { read: "read", property: "handler" } } },
    async (request, reply) => {
      const snapshot = readSnapshotQuery(request, sources.clock.now());
      if (snapshot) return sendSnapshot(sources, reply, { ...snapshot, kind: view.section });
      requireNamedProperty(request, "property");
      const query = readGridQuery(readQuery(request), ROW_KINDS[view.section], sources.clock.now());
      const property = query.property || (await findOnlyProperty(sources, query));
      if (property === undefined) return sendPortfolio(sources, reply, view);
      if (query.format !== "page" && Object.keys(query.faults).length > 0) return sendFaults(reply, query.faults);
      const context = await openProperty(sources, base, { ...query, property });
      return query.typed.view === "year" ? sendYear(sources, reply, { view, context }) : sendGrid(sources, reply, { view, context });
    },
  );
}

const ROW_KINDS = { inventories: "room", rates: "plan" } as const;

/**
 * If the query has neither a property nor `choose` and there is only one property, the page opens it directly. JSON and CSV always list
 * properties, so that their structure doesn't depend on how many there are.
 */
async function findOnlyProperty({ database, portfolio }: GridSources, { format, typed }: GridQuery): Promise<string | undefined> {
  if (format !== "page" || typed.choose !== undefined || typed.q) return undefined;
  const list = { ...readListQuery(typed, ["name"]), ...NO_FILTERS };
  const { lines, count } = await portfolio.listPage(database, list);
  return count.total === 1 ? lines[0]?.code : undefined;
}

const NO_FILTERS = { status: undefined, group: undefined, country: undefined, lastMessage: undefined };

async function sendPortfolio(sources: GridSources, reply: FastifyReply, texts: PortfolioLabels): Promise<FastifyReply> {
  const { request } = reply;
  requireProperty(request, undefined);
  const { statuses } = sources.portfolio;
  const now = sources.clock.now();
  const query = readPortfolioQuery(readQuery(request), { measure: texts.measure, statuses, now });
  if (query.format !== "page" && Object.keys(query.faults).length > 0) return sendFaults(reply, query.faults);
  if (query.format === "csv") return sendPortfolioCsv(sources, reply, query);
  const portfolio = await readPortfolio(sources, query);
  if (query.format === "json") return sendJson(reply, portfolioJson(portfolio, query));
  const owner = findOwner(request);
  const all = owner === undefined ? [] : await sources.portfolio.listViews(sources.database, owner);
  const views = all.filter(({ grid }) => grid === texts.section);
  return sendPage(reply, portfolioPage({ texts, query, portfolio, statuses, views, now }));
}

async function sendPortfolioCsv(sources: GridSources, reply: FastifyReply, query: PortfolioQuery): Promise<FastifyReply> {
  return sendCsv(reply, "portfolio", { columns: portfolioColumns, batches: portfolioRows(await readMatching(sources, query)) });
}

async function sendYear<Row, Line extends { night: string }>(
  sources: GridSources,
  reply: FastifyReply,
  { view, context }: GridRequest<Row, Line>,
) {
  const { property, first, base, now, query } = context;
  const measure = (MEASURE_CHOICES.find(([value]) => value === query.typed.show)?.[0] as Measure | undefined) ?? view.measure;
  const months = await readYear(sources, property, first);
  const nights = months.flatMap((month) => month.nights);
  if (query.format === "json")
    return sendJson(reply, { property: property.code, nights: nights.map((night) => nightSummaryJson(property, night)) });
  const line = { ...property, lastMessageAt: undefined, nights };
  if (query.format === "csv") return sendCsv(reply, `year-${property.code}`, { columns: portfolioColumns, batches: portfolioRows([line]) });
  const header = await readPropertyPage(sources.database, property.code, { tab: view.section, nights: gridNights(query.typed) });
  return sendPage(reply, { ...yearPage({ base, title: view.title, property, measure, months, now }), property: header });
}

type GridRequest<Row, Line extends { night: string }> = { view: GridView<Row, Line>; context: GridContext };

async function sendGrid<Row, Line extends { night: string }>(
  { database }: GridSources,
  reply: FastifyReply,
  { view, context }: GridRequest<Row, Line>,
) {
  const { query, property } = context;
  if (query.part === "night" && query.format === "page") return sendPart(reply, await nightPart(database, { view, context }));
  const comparedContext = otherContext(context);
  const differences = comparedContext && (await readDifferences(database, { context, other: comparedContext }, view));
  const rows = differences?.rows ?? (await findGridRows(database, context, view.rows));
  if (query.format === "json") {
    const [json, night] = await Promise.all([view.json(context, rows), nightData(database, { view, context })]);
    const comparison = differences && comparisonJson(context, differences, view);
    return sendJson(reply, { ...json, ...night, comparison, selection: selectionSummary(context, rows, view) });
  }
  if (query.format === "csv") return sendGridCsv(reply, { view, context, rows, differences });
  const selection = selectionPanel(context, selectionSummary(context, rows, view));
  if (query.part === "selection") return sendPart(reply, selection);
  const [header, content, panel, historyStart] = await Promise.all([
    readPropertyPage(database, property.code, { tab: view.section, nights: gridNights(query.typed) }),
    readContent(database, { view, context, rows, differences }),
    nightPart(database, { view, context }),
    query.asOf === undefined ? undefined : findHistoryStart(database),
  ]);
  return sendPage(reply, {
    ...gridPage(context, { ...view, ...content, panel: html`${selection}${panel}`, historyStart }),
    property: header,
  });
}

type GridResult<Row, Line extends { night: string }> = GridRequest<Row, Line> & {
  rows: readonly Row[];
  differences: GridDifferences<Row> | undefined;
};

/** Marks differences in the cells. If the grid has no comparison, marks recently changed nights instead. */
async function readContent<Row, Line extends { night: string }>(
  database: Database,
  { view, context, rows, differences }: GridResult<Row, Line>,
): Promise<GridContent & { comparison: ShownComparison | undefined }> {
  const content = await view.content(context, rows);
  if (differences) {
    const comparison = { other: differences.other, count: differences.hasData ? countDifferences(differences) : undefined };
    return { ...content, rows: withDifferences(content.rows, differences, view.compared.format), comparison };
  }
  const changes = await recentChanges(database, context, { source: view.rows, rows });
  return { ...content, rows: withChangeMarks(content.rows, changes), comparison: undefined };
}

function sendGridCsv<Row, Line extends { night: string }>(reply: FastifyReply, found: GridResult<Row, Line>): Promise<FastifyReply> {
  const { view, context, rows, differences } = found;
  const name = `${view.section}-${context.property.code}`;
  const lines = selectedLines(found, rows);
  if (!differences) return sendCsv(reply, name, { columns: view.columns, batches: [lines.map(({ line }) => line)] });
  const { other, hasData, pairs, ofRows } = differences;
  const comparedLines = lines.map(({ line, row, index }) => ({
    ...{ line, otherNight: other.days[index]!.iso, differs: ofRows[row]![index] !== undefined },
    pair: hasData ? pairs[row]![index] : undefined,
  }));
  return sendCsv(reply, name, { columns: comparedColumns(view.columns, view.compared.json), batches: [comparedLines] });
}

/** A line with the indexes of its row and its night. */
type PlacedLine<Line> = { line: Line; row: number; index: number };

function selectedLines<Row, Line extends { night: string }>(
  { view, context }: GridRequest<Row, Line>,
  rows: readonly Row[],
): readonly PlacedLine<Line>[] {
  const { selection } = context.query;
  const count = context.days.length;
  const lines = view.linesOf(context, rows).map((line, at) => ({ line, row: Math.floor(at / count), index: at % count }));
  if (selection === undefined) return lines;
  const areRowsSelected = rows.map((row) => isSelected(selection, view.rows.laneOf(row)));
  return lines.filter(({ line, row }) => areRowsSelected[row] && isNightSelected(selection, parseNight(line.night)!));
}

async function nightPart<Row, Line extends { night: string }>(database: Database, showing: GridRequest<Row, Line>): Promise<Html> {
  const subject = await findSubject(showing);
  return subject === undefined ? emptyHtml : nightDetail(database, showing.context, subject);
}

async function nightData<Row, Line extends { night: string }>(
  database: Database,
  showing: GridRequest<Row, Line>,
): Promise<object | undefined> {
  const subject = await findSubject(showing);
  return subject && nightJson(database, showing.context, subject);
}

/** Reads the selected night, even if the grid hides it. Returns undefined if none is selected. */
async function findSubject<Row, Line extends { night: string }>({
  view,
  context,
}: GridRequest<Row, Line>): Promise<SelectedNight | undefined> {
  const { night, nightRow } = context.query;
  if (night === undefined || nightRow.category === "") return undefined;
  const narrowContext = limitToNight(context, night);
  const { kind, lane } = view.subjectOf(narrowContext, []);
  const rows = await view.rows.read(narrowContext, [{ kind, category: nightRow.category, lane }]);
  return { ...view.subjectOf(narrowContext, rows), night };
}
