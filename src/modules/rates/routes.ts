import { type LaneKey, laneName } from "../../calendar/lane.ts";
import type { Database } from "../../db/database.ts";
import { named } from "../../grid/form.ts";
import { inventoryLane, rateLane } from "../../grid/lane.ts";
import type { DetailLane } from "../../grid/night-detail.ts";
import type { GridSources } from "../../grid/open.ts";
import { gridNights, withLanes } from "../../grid/rows.ts";
import { type GridScene, isActive, shownCategories } from "../../grid/scene.ts";
import { type GridView, registerGrid } from "../../grid/view.ts";
import { categoriesOf } from "../../records/category/store.ts";
import { listProperties } from "../../records/property/list-store.ts";
import { findPropertyBrief } from "../../records/property/store.ts";
import { html } from "../../web/html.ts";
import { type Choices } from "../../web/parts/fields.ts";
import { type Module } from "../module.ts";
import { rateColumns, rateJson, type RateLine, rateLines } from "./export.ts";
import { priceOutlook } from "./outlook.ts";
import { hasProblem, rateGridRows, rateLegend } from "./pages.ts";
import { planPanel } from "./plan-panel.ts";
import { type RateRow, rateRows } from "./row.ts";
import { saleOfNight } from "./sale.ts";
import { plansOf, type RatePlan } from "./store.ts";

type GridNeeds = Pick<GridSources, "database" | "clock">;

export const ratesModule: Module<GridNeeds> = {
  name: "rates",
  about: "Prices and restrictions, night by night, as the channel told them.",
  tables: ["rate_page", "rate_plan"],
  uses: [],
  register: (app, services) =>
    registerGrid(app, { ...services, findProperty: findPropertyBrief, listProperties, categoriesOf }, ratesView(services)),
};

function ratesView({ database }: GridNeeds): GridView<RateRow, RateLine> {
  return {
    title: "Rates",
    section: "rates",
    about: "view rates",
    sums: "The lowest price that is on sale",
    rows: { read: (scene, also) => readRows(database, scene, also), laneOf, valuesOf, hasProblem },
    outlook: priceOutlook,
    columns: rateColumns,
    linesOf: rateLines,
    json: async (scene, rows) => rateJson(scene, rows, namesOf(await plansOf(database, scene.property.code))),
    async draw(scene, found) {
      const plans = await plansOf(database, scene.property.code);
      const chosen = plans.find(({ code }) => code === scene.query.plan);
      return {
        plans: choices(plans, scene.query.plan),
        rows: rateGridRows(scene, found, plans),
        legend: html`${planPanel(chosen)}${rateLegend(scene.property.assumeOpen)}`,
      };
    },
    detailOf,
  };
}

/** The history of a night's amounts and restrictions under a rate plan, or without one. */
function detailOf(scene: GridScene, rows: readonly RateRow[]): DetailLane {
  const { category, plan } = scene.query.nightRow;
  const what = plan === "" ? `${category}, no rate plan` : `${category}, rate plan ${plan}`;
  return { kind: "rate", lane: plan, groups: ["amounts", "restrictions", "allotment"], what, sale: saleOfNight(scene, rows) };
}

function namesOf(plans: readonly RatePlan[]): ReadonlyMap<string, string> {
  return new Map(plans.map(({ code, name }) => [code, name ?? code]));
}

/** A plan that was asked for but never named stays chosen. */
function choices(plans: readonly RatePlan[], chosen: string): Choices {
  const known = plans.map(named);
  return chosen === "" || plans.some(({ code }) => code === chosen) ? known : [...known, [chosen, chosen]];
}

function laneOf({ category, plan }: RateRow): LaneKey {
  return { kind: "rate", category: category.code, lane: plan };
}

function valuesOf({ nights }: RateRow): string[] {
  return nights.map(({ rate }) => JSON.stringify({ ...rate, setters: undefined }));
}

async function readRows(database: Database, scene: GridScene, also: readonly LaneKey[]): Promise<RateRow[]> {
  const [inventory, rates] = await Promise.all([
    gridNights(database, scene, { kind: "inventory" }),
    gridNights(database, scene, { kind: "rate" }),
  ]);
  const count = scene.days.length;
  const { plan } = scene.query;
  const lanes = withLanes(rates, also);
  if (plan !== "" && !lanes.some(({ lane }) => lane === plan) && !(await isNamed(database, scene))) return [];
  return rateRows({
    categories: shownCategories(scene),
    plan,
    inventory: inventory.map((lane) => inventoryLane(lane, count)),
    rates: lanes.map((lane) => rateLane(lane, count)),
    also: new Set(also.map(laneName)),
    assumeOpen: scene.property.assumeOpen,
    isActive: (category) => isActive(scene, category),
    past: scene.onSaleFrom - scene.first,
    count,
  });
}

/** Whether a message has named the rate plan that is asked for. */
async function isNamed(database: Database, { property, query }: GridScene): Promise<boolean> {
  const plans = await plansOf(database, property.code);
  return plans.some(({ code }) => code === query.plan);
}
