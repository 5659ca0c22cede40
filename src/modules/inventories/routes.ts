import type { FastifyReply } from "fastify";
import type { Database } from "../../db/database.ts";
import { gridPage, pickPage } from "../../grid/grid-page.ts";
import type { GridScene } from "../../grid/grid-scene.ts";
import { inventoryLane, rateLane } from "../../grid/lane.ts";
import { gridReach } from "../../grid/night-detail.ts";
import { sendCsv, sendJson } from "../../web/export.ts";
import { sendPage } from "../../web/page.ts";
import { path } from "../../web/path.ts";
import type { Module } from "../module.ts";
import { inventoryColumns, inventoryJson, inventoryRecords } from "./inventory-export.ts";
import { inventoryGridRows, inventoryLegend } from "./inventory-page.ts";
import { type InventoryRow, inventoryRows } from "./inventory-row.ts";
import { gridNights } from "./lanes.ts";
import { inventoryPanel } from "./night-detail.ts";
import { openGrid, shownCategories } from "./scene.ts";

const parts = { title: "Inventories", section: "inventories" } as const;

export const inventoriesModule: Module = {
  name: "inventories",
  about: "Rooms that are left, night by night, as the channel told them.",
  tables: ["inventory_page"],
  uses: ["property", "category"],
  register(app, { database, clock }) {
    app.get("/inventories", { config: { about: "view inventories" } }, async (request, reply) => {
      const { scene, choice } = await openGrid({ database, clock }, path`/inventories`, request.query);
      return scene ? answer(reply, database, scene) : sendPage(reply, pickPage(parts, choice));
    });
  },
};

async function answer(reply: FastifyReply, database: Database, scene: GridScene): Promise<FastifyReply> {
  const { query, property, days } = scene;
  if (query.format !== "page" && Object.keys(query.faults).length > 0) return sendJson(reply.code(422), { errors: query.faults });
  const rows = await findRows(database, scene);
  if (query.format === "json") return sendJson(reply, inventoryJson(scene, rows));
  if (query.format === "csv") {
    return sendCsv(reply, `inventories-${property.code}`, { columns: inventoryColumns, rows: inventoryRecords(property.code, rows, days) });
  }
  const [panel, reach] = await Promise.all([inventoryPanel(database, scene), gridReach(database, scene)]);
  const legend = inventoryLegend(property.assumeOpen);
  return sendPage(reply, gridPage(scene, { ...parts, plans: undefined, rows: inventoryGridRows(scene, rows), legend, reach, panel }));
}

async function findRows(database: Database, scene: GridScene): Promise<InventoryRow[]> {
  const [inventory, rates] = await Promise.all([gridNights(database, scene, "inventory"), gridNights(database, scene, "rate")]);
  const count = scene.days.length;
  return inventoryRows({
    categories: shownCategories(scene),
    inventory: inventory.map((lane) => inventoryLane(lane, count)),
    rates: rates.filter(({ columns }) => columns.has("allotment")).map((lane) => rateLane(lane, count)),
    count,
  });
}
