import type { FastifyInstance, FastifyReply } from "fastify";
import { parseNight } from "../calendar/night.ts";
import type { Database } from "../db/database.ts";
import { findHistoryStart } from "../journal/nights.ts";
import { type CsvColumn, sendCsv } from "../web/csv.ts";
import { requireNamedProperty, requireProperty } from "../web/guard/grant.ts";
import { type Html, html, nothing, type Path } from "../web/html.ts";
import { sendFaults, sendJson } from "../web/json.ts";
import { queryOf } from "../web/negotiate.ts";
import { sendPage, sendPart } from "../web/page.ts";
import { gridNights } from "../web/parts/property-header.ts";
import { path } from "../web/path.ts";
import { comparisonJson } from "./compare-json.ts";
import type { ShownComparison } from "./compare-page.ts";
import { type ComparedRows, countDifferences, type Differences, otherContext, readDifferences, withDifferences } from "./compare.ts";
import { atNight, type GridContext, type GridSources, openGrid, type PropertyList } from "./context.ts";
import { nightDetail, nightJson, type NightSubject, type SelectedNight } from "./night-detail.ts";
import { overviewJson, overviewPage, type OverviewTexts, type PropertySparkline, readOverview } from "./overview.ts";
import { type GridContent, gridPage } from "./page.ts";
import { readPropertyPage } from "./property-page.ts";
import { type GridQuery, readGridQuery } from "./query.ts";
import { findGridRows, recentChanges, type RowSource } from "./rows.ts";
import { selectionPanel } from "./selection-panel.ts";
import { type SaleNight, selectionSummary } from "./selection-summary.ts";
import { isSelected, isWithin } from "./selection.ts";
import { readSnapshotQuery, sendSnapshot } from "./snapshot.ts";
import { withChangeMarks } from "./table.ts";

/** The differences between `/inventories` and `/rates`. A `Line` is one night of a row in CSV. */
export type GridView<Row, Line extends { night: string }> = OverviewTexts & {
  about: string;
  rows: RowSource<Row>;
  compared: ComparedRows<Row>;
  saleOf(row: Row, index: number): SaleNight;
  sparkline(context: GridContext, rows: readonly Row[]): PropertySparkline;
  columns: readonly CsvColumn<Line>[];
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
      const query = readGridQuery(queryOf(request), ROWS[view.section], sources.clock.now());
      if (query.format !== "page" && Object.keys(query.faults).length > 0) return sendFaults(reply, query.faults);
      const opened = await openGrid(sources, base, query);
      if ("list" in opened) requireProperty(request, undefined);
      return "list" in opened
        ? sendOverview(sources, reply, { ...opened, view, base, query })
        : sendGrid(sources, reply, { view, context: opened });
    },
  );
}

const ROWS = { inventories: "room", rates: "plan" } as const;

type Listing<Row, Line extends { night: string }> = PropertyList & { view: GridView<Row, Line>; base: Path; query: GridQuery };

async function sendOverview<Row, Line extends { night: string }>(
  sources: GridSources,
  reply: FastifyReply,
  { view, base, ...listing }: Listing<Row, Line>,
) {
  const { query } = listing;
  if (query.format === "csv") return sendFaults(reply, { property: "Enter a property code" });
  const sparklineOf = async (context: GridContext) => view.sparkline(context, await findGridRows(sources.database, context, view.rows));
  const overview = await readOverview(sources, base, { ...listing, sparklineOf });
  return query.format === "json" ? sendJson(reply, overviewJson(overview)) : sendPage(reply, overviewPage(view, query, overview));
}

type Showing<Row, Line extends { night: string }> = { view: GridView<Row, Line>; context: GridContext };

async function sendGrid<Row, Line extends { night: string }>(
  { database }: GridSources,
  reply: FastifyReply,
  { view, context }: Showing<Row, Line>,
) {
  const { query, property } = context;
  if (query.part === "night" && query.format === "page") return sendPart(reply, await nightPart(database, { view, context }));
  const other = otherContext(context);
  const differences = other && (await readDifferences(database, { context, other }, view));
  const rows = differences?.rows ?? (await findGridRows(database, context, view.rows));
  if (query.format === "json") {
    const [json, night] = await Promise.all([view.json(context, rows), nightData(database, { view, context })]);
    const comparison = differences && comparisonJson(context, differences, view);
    return sendJson(reply, { ...json, ...night, comparison, selection: selectionSummary(context, rows, view) });
  }
  if (query.format === "csv")
    return sendCsv(reply, `${view.section}-${property.code}`, { columns: view.columns, batches: [selectedLines({ view, context }, rows)] });
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

type Found<Row, Line extends { night: string }> = Showing<Row, Line> & { rows: readonly Row[]; differences: Differences<Row> | undefined };

/** Adds to the cells what differs, or without a comparison which nights have changed lately. */
async function readContent<Row, Line extends { night: string }>(
  database: Database,
  { view, context, rows, differences }: Found<Row, Line>,
): Promise<GridContent & { comparison: ShownComparison | undefined }> {
  const content = await view.content(context, rows);
  if (differences) {
    const comparison = { other: differences.other, count: countDifferences(differences) };
    return { ...content, rows: withDifferences(content.rows, differences, view.compared.format), comparison };
  }
  const changes = await recentChanges(database, context, { source: view.rows, rows });
  return { ...content, rows: withChangeMarks(content.rows, changes), comparison: undefined };
}

function selectedLines<Row, Line extends { night: string }>({ view, context }: Showing<Row, Line>, rows: readonly Row[]): readonly Line[] {
  const { selection } = context.query;
  if (selection === undefined) return view.linesOf(context, rows);
  const lines = view.linesOf(
    context,
    rows.filter((row) => isSelected(selection, view.rows.laneOf(row))),
  );
  return lines.filter(({ night }) => isWithin(selection, parseNight(night)!));
}

async function nightPart<Row, Line extends { night: string }>(database: Database, showing: Showing<Row, Line>): Promise<Html> {
  const subject = await findSubject(showing);
  return subject === undefined ? nothing : nightDetail(database, showing.context, subject);
}

async function nightData<Row, Line extends { night: string }>(
  database: Database,
  showing: Showing<Row, Line>,
): Promise<object | undefined> {
  const subject = await findSubject(showing);
  return subject && nightJson(database, showing.context, subject);
}

/** Reads the selected night, even if the grid hides it; undefined if none is selected. */
async function findSubject<Row, Line extends { night: string }>({ view, context }: Showing<Row, Line>): Promise<SelectedNight | undefined> {
  const { night, nightRow } = context.query;
  if (night === undefined || nightRow.category === "") return undefined;
  const narrow = atNight(context, night);
  const { kind, lane } = view.subjectOf(narrow, []);
  const rows = await view.rows.read(narrow, [{ kind, category: nightRow.category, lane }]);
  return { ...view.subjectOf(narrow, rows), night };
}
