import type { Database } from "../../db/database.ts";
import { named } from "../../grid/form.ts";
import { inventoryLane, rateLane } from "../../grid/lane.ts";
import { gridReach } from "../../grid/night-detail.ts";
import { gridPage } from "../../grid/page.ts";
import { findGridRows, gridNights, type RowSource } from "../../grid/rows.ts";
import { type GridScene, isActive, shownCategories } from "../../grid/scene.ts";
import { type GridView, registerGrid } from "../../grid/view.ts";
import { sendCsv } from "../../web/csv.ts";
import { html } from "../../web/html.ts";
import { sendJson } from "../../web/json.ts";
import type { Choices } from "../../web/parts/field.ts";
import { categoriesOf } from "../category/store.ts";
import type { Module, Services } from "../module.ts";
import { listProperties } from "../property/list-store.ts";
import { findProperty } from "../property/store.ts";
import { rateColumns, rateJson, rateRecords } from "./export.ts";
import { ratePanel } from "./night-detail.ts";
import { priceOutlook } from "./outlook.ts";
import { hasProblem, rateGridRows, rateLegend } from "./pages.ts";
import { planPanel } from "./plan-panel.ts";
import { type RateRow, rateRows } from "./row.ts";
import { plansOf, type RatePlan } from "./store.ts";

export const ratesModule: Module = {
  name: "rates",
  about: "Prices and restrictions, night by night, as the channel told them.",
  tables: ["rate_page", "rate_plan"],
  uses: ["property", "category"],
  register: (app, services) => registerGrid(app, { ...services, findProperty, listProperties, categoriesOf }, ratesView(services)),
};

function ratesView({ database }: Services): GridView {
  return {
    title: "Rates",
    section: "rates",
    about: "view rates",
    sums: "The lowest price that is on sale",
    outlook: async (scene) => priceOutlook(scene, await findRows(database, scene)),
    async sendData(reply, scene) {
      const { query, property, days } = scene;
      const [rows, plans] = await Promise.all([findRows(database, scene), plansOf(database, property.code)]);
      if (query.format === "json") return sendJson(reply, rateJson(scene, rows, namesOf(plans)));
      return sendCsv(reply, `rates-${property.code}`, { columns: rateColumns, batches: [rateRecords(property.code, rows, days)] });
    },
    async makePage(scene) {
      const [found, plans] = await Promise.all([findRows(database, scene), plansOf(database, scene.property.code)]);
      const chosen = plans.find(({ code }) => code === scene.query.plan);
      const [panel, reach] = await Promise.all([ratePanel(database, scene), gridReach(database, scene)]);
      const rows = rateGridRows(scene, found, plans);
      return gridPage(scene, {
        ...this,
        plans: choices(plans, scene.query.plan),
        rows,
        legend: html`${planPanel(chosen)}${rateLegend(scene.property.assumeOpen)}`,
        reach,
        panel,
      });
    },
  };
}

function namesOf(plans: readonly RatePlan[]): ReadonlyMap<string, string> {
  return new Map(plans.map(({ code, name }) => [code, name ?? code]));
}

/** A plan that was asked for but never named stays chosen. */
function choices(plans: readonly RatePlan[], chosen: string): Choices {
  const known = plans.map(named);
  return chosen === "" || plans.some(({ code }) => code === chosen) ? known : [...known, [chosen, chosen]];
}

function findRows(database: Database, scene: GridScene): Promise<RateRow[]> {
  const source: RowSource<RateRow> = {
    read: (one) => readRows(database, one),
    laneOf: ({ category, plan }) => ({ kind: "rate", category: category.code, lane: plan }),
    valuesOf: ({ nights }) => nights.map(({ rate }) => JSON.stringify({ ...rate, setters: undefined })),
    hasProblem,
  };
  return findGridRows(database, scene, source);
}

async function readRows(database: Database, scene: GridScene): Promise<RateRow[]> {
  const [inventory, rates] = await Promise.all([
    gridNights(database, scene, { kind: "inventory" }),
    gridNights(database, scene, { kind: "rate" }),
  ]);
  const count = scene.days.length;
  return rateRows({
    categories: shownCategories(scene),
    plan: scene.query.plan,
    inventory: inventory.map((lane) => inventoryLane(lane, count)),
    rates: rates.map((lane) => rateLane(lane, count)),
    assumeOpen: scene.property.assumeOpen,
    isActive: (category) => isActive(scene, category),
    past: scene.onSaleFrom - scene.first,
    count,
  });
}
