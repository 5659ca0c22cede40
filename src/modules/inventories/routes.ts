import type { LaneKey } from "../../calendar/lane.ts";
import type { Database } from "../../db/database.ts";
import { inventoryLane, rateLane } from "../../grid/lane.ts";
import type { DetailLane } from "../../grid/night-detail.ts";
import type { GridSources } from "../../grid/open.ts";
import { gridNights, withLanes } from "../../grid/rows.ts";
import { type GridScene, shownCategories } from "../../grid/scene.ts";
import { type GridView, registerGrid } from "../../grid/view.ts";
import { categoriesOf } from "../../records/category/store.ts";
import { listProperties } from "../../records/property/list-store.ts";
import { findPropertyBrief } from "../../records/property/store.ts";
import type { Module } from "../module.ts";
import { inventoryColumns, inventoryJson, type InventoryLine, inventoryLines } from "./export.ts";
import { hasProblem, inventoryGridRows, inventoryLegend } from "./pages.ts";
import { type InventoryRow, inventoryRows } from "./row.ts";
import { roomsOutlook, totalRow } from "./total-row.ts";

type GridNeeds = Pick<GridSources, "database" | "clock">;

export const inventoriesModule: Module<GridNeeds> = {
  name: "inventories",
  about: "Rooms that are left, night by night, as the channel told them.",
  tables: ["inventory_page"],
  uses: [],
  register: (app, services) =>
    registerGrid(app, { ...services, findProperty: findPropertyBrief, listProperties, categoriesOf }, inventoriesView(services)),
};

function inventoriesView({ database }: GridNeeds): GridView<InventoryRow, InventoryLine> {
  return {
    title: "Inventories",
    section: "inventories",
    about: "view inventories",
    sums: "Rooms that are free",
    rows: { read: (scene, also) => readRows(database, scene, also), laneOf, valuesOf, hasProblem },
    outlook: roomsOutlook,
    columns: inventoryColumns,
    linesOf: inventoryLines,
    json: inventoryJson,
    draw: (scene, rows) => ({
      plans: undefined,
      rows: inventoryGridRows(scene, rows),
      total: totalRow(scene, rows),
      legend: inventoryLegend(scene.property.assumeOpen),
    }),
    detailOf,
  };
}

/** The history of a night's counts: the category's, a single room's, or the allotment of a rate plan. */
function detailOf({ query }: GridScene): DetailLane {
  const { category, plan, room } = query.nightRow;
  if (plan !== "") return { kind: "rate", lane: plan, groups: ["allotment"], what: `${category}, allotment of ${plan}` };
  const what = room === "" ? category : `${category}, room ${room}`;
  return { kind: "inventory", lane: room, groups: ["counts", "closed"], what };
}

async function readRows(database: Database, scene: GridScene, also: readonly LaneKey[]): Promise<InventoryRow[]> {
  const [inventory, rates] = await Promise.all([
    gridNights(database, scene, { kind: "inventory" }),
    gridNights(database, scene, { kind: "rate", groups: ["allotment"] }),
  ]);
  const count = scene.days.length;
  const { inventory: alsoCounted = [], rate: alsoAllotted = [] } = Object.groupBy(also, ({ kind }) => kind);
  const allotments = rates.filter(({ columns }) => columns.has("allotment"));
  return inventoryRows({
    categories: shownCategories(scene),
    inventory: withLanes(inventory, alsoCounted).map((lane) => inventoryLane(lane, count)),
    allotments: withLanes(allotments, alsoAllotted).map((lane) => rateLane(lane, count)),
    count,
  });
}

function valuesOf({ nights }: InventoryRow): string[] {
  return nights.map((night) => JSON.stringify({ ...night, setters: undefined, message: undefined }));
}

function laneOf(row: InventoryRow): LaneKey {
  const category = row.category.code;
  if (row.type === "allotment") return { kind: "rate", category, lane: row.code };
  return { kind: "inventory", category, lane: row.type === "room" ? row.code : "" };
}
