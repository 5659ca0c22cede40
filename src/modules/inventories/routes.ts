import type { LaneKey } from "../../calendar/lane.ts";
import { inventoryLane, rateLane } from "../../calendar/night-values.ts";
import type { Database } from "../../db/database.ts";
import { type GridContext, type GridSources, shownCategories } from "../../grid/context.ts";
import { type NightSubject } from "../../grid/night-detail.ts";
import { gridNights, withLanes } from "../../grid/rows.ts";
import { type GridView, registerGrid } from "../../grid/view.ts";
import { listCategoryBriefs } from "../../records/category/store.ts";
import { listRetiredPlans } from "../../records/plan/store.ts";
import { findPropertyBrief, streamBriefs } from "../../records/property/store.ts";
import { type Module } from "../module.ts";
import { PORTFOLIO_SOURCES } from "../portfolio.ts";
import { comparedRooms, inventoryTotals, saleOfRooms } from "./cell.ts";
import { inventoryColumns, inventoryJson, type InventoryLine, inventoryLines } from "./export.ts";
import { inventoryGridRows, inventoryLegend, matchesFilter, selectedVerdict } from "./pages.ts";
import { type InventoryRow, inventoryRows } from "./row.ts";

type GridDeps = Pick<GridSources, "database" | "clock">;

export const inventoriesModule: Module<GridDeps> = {
  name: "inventories",
  about: "Available rooms per night, as received from the channel.",
  tables: ["inventory_page"],
  uses: [],
  register: (app, services) =>
    registerGrid(
      app,
      {
        ...services,
        findProperty: findPropertyBrief,
        streamProperties: streamBriefs,
        categoriesOf: listCategoryBriefs,
        retiredPlansOf: listRetiredPlans,
        portfolio: PORTFOLIO_SOURCES,
      },
      inventoriesView(services),
    ),
};

function inventoriesView({ database }: GridDeps): GridView<InventoryRow, InventoryLine> {
  return {
    title: "Inventories",
    section: "inventories",
    about: "view inventories",
    measure: "rooms",
    rows: {
      read: (context, include) => readRows(database, context, include),
      laneOf: rowLane,
      valuesOf: comparableValues,
      matches: matchesFilter,
    },
    compared: comparedRooms,
    saleOf: saleOfRooms,
    columns: inventoryColumns,
    linesOf: inventoryLines,
    json: inventoryJson,
    content: (context, rows) => ({
      plans: undefined,
      rows: inventoryGridRows(context, rows),
      totals: inventoryTotals(context, rows),
      legend: inventoryLegend(context),
    }),
    subjectOf: nightSubject,
  };
}

function nightSubject(context: GridContext, rows: readonly InventoryRow[]): NightSubject {
  const { category, plan, room } = context.query.nightRow;
  const verdict = selectedVerdict(context, rows);
  if (plan !== "") return { ...ALLOTMENT_LANE, lane: plan, title: `${category}, allotment of ${plan}`, verdict };
  if (room !== "") return { ...COUNT_LANE, lane: room, title: `${category}, room ${room}`, verdict, related: [RESTRICTION_LANE] };
  return { ...COUNT_LANE, title: category, verdict, related: [RESTRICTION_LANE] };
}

const COUNT_LANE = { kind: "inventory", lane: "", groups: ["counts", "closed"] } as const;
const RESTRICTION_LANE = { kind: "rate", lane: "", groups: ["restrictions"] } as const;
const ALLOTMENT_LANE = { kind: "rate", groups: ["allotment", "restrictions"], related: [COUNT_LANE, RESTRICTION_LANE] } as const;

async function readRows(database: Database, context: GridContext, include: readonly LaneKey[]): Promise<InventoryRow[]> {
  const [inventory, rates] = await Promise.all([
    gridNights(database, context, { kind: "inventory" }),
    gridNights(database, context, { kind: "rate", groups: ["allotment", "restrictions"] }),
  ]);
  const count = context.days.length;
  const { inventory: includeInventory = [], rate: includeRates = [] } = Object.groupBy(include, ({ kind }) => kind);
  const allotments = rates.filter(({ columns }) => columns.has("allotment"));
  return inventoryRows({
    categories: shownCategories(context),
    inventory: withLanes(inventory, includeInventory).map((lane) => inventoryLane(lane, count)),
    allotments: withLanes(allotments, includeRates).map((lane) => rateLane(lane, count)),
    general: rates.filter(({ lane }) => lane === "").map((lane) => rateLane(lane, count)),
    dates: context.dates,
    retired: context.retired,
  });
}

function comparableValues(row: InventoryRow): string[] {
  if (row.type === "allotment") return row.nights.map(({ rate }) => String(rate.allotment));
  return row.nights.map(({ counts }) => JSON.stringify({ ...counts, setters: undefined }));
}

function rowLane({ type, category: { code: category }, code }: InventoryRow): LaneKey {
  if (type === "allotment") return { kind: "rate", category, lane: code };
  return { kind: "inventory", category, lane: type === "room" ? code : "" };
}
