import type { FastifyInstance, FastifyReply } from "fastify";
import { type CsvColumn, sendCsv } from "../web/csv.ts";
import type { Path } from "../web/html.ts";
import { sendFaults, sendJson } from "../web/json.ts";
import { queryOf } from "../web/negotiate.ts";
import { sendPage } from "../web/page.ts";
import { path } from "../web/path.ts";
import { type DetailLane, gridReach, nightDetail, nightHistoryJson } from "./night-detail.ts";
import { type GridSources, openGrid, type PropertyChoice } from "./open.ts";
import type { GridOutlook } from "./outlook.ts";
import { overviewPage, type OverviewParts } from "./overview-page.ts";
import { lineJson, readOverview } from "./overview.ts";
import { type Drawn, gridPage } from "./page.ts";
import { type GridQuery, readGridQuery } from "./query.ts";
import { findGridRows, type RowSource } from "./rows.ts";
import type { GridScene } from "./scene.ts";

/** What `/inventories` and `/rates` differ in: their rows, and what is made of them; a `Line` is a night of a row as CSV has it. */
export type GridView<Row, Line> = OverviewParts & {
  about: string;
  rows: RowSource<Row>;
  /** What the nights of a property come to. */
  outlook(scene: GridScene, rows: readonly Row[]): GridOutlook;
  columns: readonly CsvColumn<Line>[];
  linesOf(scene: GridScene, rows: readonly Row[]): readonly Line[];
  json(scene: GridScene, rows: readonly Row[]): object | Promise<object>;
  draw(scene: GridScene, rows: readonly Row[]): Drawn | Promise<Drawn>;
  /** What the history of the night that the query names is told of. */
  detailOf(scene: GridScene, rows: readonly Row[]): DetailLane;
};

/** Registers one of the two grids under the name of its section. */
export function registerGrid<Row, Line>(app: FastifyInstance, sources: GridSources, view: GridView<Row, Line>): void {
  const base = path`/${view.section}`;
  app.get(base.text, { config: { about: view.about, etag: true } }, async (request, reply) => {
    const query = readGridQuery(queryOf(request), ROWS[view.section], sources.clock.now());
    if (query.format !== "page" && Object.keys(query.faults).length > 0) return sendFaults(reply, query.faults);
    const { scene, choice } = await openGrid(sources, base, query);
    return scene ? answerGrid(sources, reply, { view, scene }) : answerChoice(sources, reply, { view, base, query, choice });
  });
}

const ROWS = { inventories: "room", rates: "plan" } as const;

type Choosing<Row, Line> = { view: GridView<Row, Line>; base: Path; query: GridQuery; choice: PropertyChoice };

async function answerChoice<Row, Line>(sources: GridSources, reply: FastifyReply, { view, base, query, choice }: Choosing<Row, Line>) {
  if (query.format === "csv") return sendFaults(reply, { property: "Name a property by its code" });
  const outlook = async (scene: GridScene) => view.outlook(scene, await findGridRows(sources.database, scene, view.rows));
  const lines = await readOverview(sources, base, { query, lines: choice.lines, outlook });
  const { list, count } = choice;
  if (query.format === "json") return sendJson(reply, { ...count, page: list.page, size: list.size, properties: lines.map(lineJson) });
  return sendPage(reply, overviewPage(view, query, { list, count, lines }));
}

type Showing<Row, Line> = { view: GridView<Row, Line>; scene: GridScene };

async function answerGrid<Row, Line>({ database }: GridSources, reply: FastifyReply, { view, scene }: Showing<Row, Line>) {
  const { query, property } = scene;
  const rows = await findGridRows(database, scene, view.rows);
  if (query.format === "json") {
    const [json, history] = await Promise.all([view.json(scene, rows), nightHistoryJson(database, scene, view.detailOf(scene, rows))]);
    return sendJson(reply, { ...json, history });
  }
  if (query.format === "csv")
    return sendCsv(reply, `${view.section}-${property.code}`, { columns: view.columns, batches: [view.linesOf(scene, rows)] });
  const history = nightDetail(database, scene, view.detailOf(scene, rows));
  const [drawn, panel, reach] = await Promise.all([view.draw(scene, rows), history, gridReach(database, scene)]);
  return sendPage(reply, gridPage(scene, { ...view, ...drawn, panel, reach }));
}
