import type { FastifyReply } from "fastify";
import type { Database } from "../../db/database.ts";
import type { Choice } from "../../grid/grid-form.ts";
import { gridPage, pickPage } from "../../grid/grid-page.ts";
import type { GridScene } from "../../grid/grid-scene.ts";
import { inventoryLane, rateLane } from "../../grid/lane.ts";
import { gridReach } from "../../grid/night-detail.ts";
import { sendCsv, sendJson } from "../../web/export.ts";
import { sendPage } from "../../web/page.ts";
import { path } from "../../web/path.ts";
import { gridNights } from "../inventories/lanes.ts";
import { openGrid, shownCategories } from "../inventories/scene.ts";
import type { Module } from "../module.ts";
import { ratePanel } from "./night-detail.ts";
import { rateColumns, rateJson, rateRecords } from "./rate-export.ts";
import { rateGridRows, rateLegend } from "./rate-page.ts";
import { type RateRow, rateRows } from "./rate-row.ts";
import { plansOf, type RatePlan } from "./store.ts";

const parts = { title: "Rates", section: "rates" } as const;

export const ratesModule: Module = {
  name: "rates",
  about: "Prices and restrictions, night by night, as the channel told them.",
  tables: ["rate_page", "rate_plan"],
  uses: ["inventories"],
  register(app, { database, clock }) {
    app.get("/rates", { config: { about: "view rates" } }, async (request, reply) => {
      const { scene, choice } = await openGrid({ database, clock }, path`/rates`, request.query);
      return scene ? answer(reply, database, scene) : sendPage(reply, pickPage(parts, choice));
    });
  },
};

async function answer(reply: FastifyReply, database: Database, scene: GridScene): Promise<FastifyReply> {
  const { query, property, days } = scene;
  if (query.format !== "page" && Object.keys(query.faults).length > 0) return sendJson(reply.code(422), { errors: query.faults });
  const [rows, plans] = await Promise.all([findRows(database, scene), plansOf(database, property.code)]);
  const names = new Map(plans.map(({ code, name }) => [code, name ?? code]));
  if (query.format === "json") return sendJson(reply, rateJson(scene, rows, names));
  if (query.format === "csv") {
    return sendCsv(reply, `rates-${property.code}`, { columns: rateColumns, rows: rateRecords(property.code, rows, days) });
  }
  const [panel, reach] = await Promise.all([ratePanel(database, scene), gridReach(database, scene)]);
  const legend = rateLegend(property.assumeOpen);
  return sendPage(
    reply,
    gridPage(scene, { ...parts, plans: choices(plans, query.plan), rows: rateGridRows(scene, rows, names), legend, reach, panel }),
  );
}

/** A plan that was asked for but never named stays chosen. */
function choices(plans: readonly RatePlan[], chosen: string): Choice[] {
  const known = plans.map(({ code, name }): Choice => [code, name === undefined || name === code ? code : `${code} – ${name}`]);
  return chosen === "" || plans.some(({ code }) => code === chosen) ? known : [...known, [chosen, chosen]];
}

async function findRows(database: Database, scene: GridScene): Promise<RateRow[]> {
  const [inventory, rates] = await Promise.all([gridNights(database, scene, "inventory"), gridNights(database, scene, "rate")]);
  const count = scene.days.length;
  return rateRows({
    categories: shownCategories(scene),
    plan: scene.query.plan,
    inventory: inventory.map((lane) => inventoryLane(lane, count)),
    rates: rates.map((lane) => rateLane(lane, count)),
    assumeOpen: scene.property.assumeOpen,
    count,
  });
}
