import type { LaneKey } from "../../calendar/lane.ts";
import type { Database } from "../../db/database.ts";
import { inventoryLane, rateLane } from "../../grid/lane.ts";
import { gridReach } from "../../grid/night-detail.ts";
import { gridPage } from "../../grid/page.ts";
import { findGridRows, gridNights, type RowSource } from "../../grid/rows.ts";
import { type GridScene, shownCategories } from "../../grid/scene.ts";
import { type GridView, registerGrid } from "../../grid/view.ts";
import { sendCsv } from "../../web/csv.ts";
import { sendJson } from "../../web/json.ts";
import { categoriesOf } from "../category/store.ts";
import type { Module, Services } from "../module.ts";
import { listProperties } from "../property/list-store.ts";
import { findProperty } from "../property/store.ts";
import { inventoryColumns, inventoryJson, inventoryRecords } from "./export.ts";
import { inventoryPanel } from "./night-detail.ts";
import { hasProblem, inventoryGridRows, inventoryLegend } from "./pages.ts";
import { type InventoryRow, inventoryRows } from "./row.ts";
import { roomsOutlook, totalRow } from "./total-row.ts";

export const inventoriesModule: Module = {
  name: "inventories",
  about: "Rooms that are left, night by night, as the channel told them.",
  tables: ["inventory_page"],
  uses: ["property", "category"],
  register: (app, services) => registerGrid(app, { ...services, findProperty, listProperties, categoriesOf }, inventoriesView(services)),
};

function inventoriesView({ database }: Services): GridView {
  return {
    title: "Inventories",
    section: "inventories",
    about: "view inventories",
    sums: "Rooms that are free",
    outlook: async (scene) => roomsOutlook(scene, await findRows(database, scene)),
    async sendData(reply, scene) {
      const { query, property, days } = scene;
      const rows = await findRows(database, scene);
      if (query.format === "json") return sendJson(reply, inventoryJson(scene, rows));
      return sendCsv(reply, `inventories-${property.code}`, {
        columns: inventoryColumns,
        batches: [inventoryRecords(property.code, rows, days)],
      });
    },
    async makePage(scene) {
      const found = await findRows(database, scene);
      const [panel, reach] = await Promise.all([inventoryPanel(database, scene), gridReach(database, scene)]);
      return gridPage(scene, {
        ...this,
        plans: undefined,
        rows: inventoryGridRows(scene, found),
        total: totalRow(scene, found),
        legend: inventoryLegend(scene.property.assumeOpen),
        reach,
        panel,
      });
    },
  };
}

function findRows(database: Database, scene: GridScene): Promise<InventoryRow[]> {
  const source: RowSource<InventoryRow> = { read: (one) => readRows(database, one), laneOf, valuesOf, hasProblem };
  return findGridRows(database, scene, source);
}

async function readRows(database: Database, scene: GridScene): Promise<InventoryRow[]> {
  const [inventory, rates] = await Promise.all([
    gridNights(database, scene, { kind: "inventory" }),
    gridNights(database, scene, { kind: "rate", groups: ["allotment"] }),
  ]);
  const count = scene.days.length;
  return inventoryRows({
    categories: shownCategories(scene),
    inventory: inventory.map((lane) => inventoryLane(lane, count)),
    rates: rates.filter(({ columns }) => columns.has("allotment")).map((lane) => rateLane(lane, count)),
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
