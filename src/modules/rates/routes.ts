import { type LaneKey, laneName } from "../../calendar/lane.ts";
import { inventoryLane, rateLane } from "../../calendar/night-values.ts";
import type { Database } from "../../db/database.ts";
import { type GridContext, type GridSources, shownCategories } from "../../grid/context.ts";
import { codeChoice } from "../../grid/form.ts";
import { type NightSubject } from "../../grid/night-detail.ts";
import { gridNights, withLanes } from "../../grid/rows.ts";
import { type GridView, registerGrid } from "../../grid/view.ts";
import { listCategoryBriefs } from "../../records/category/store.ts";
import { listRetiredPlans } from "../../records/plan/store.ts";
import { findPropertyBrief, streamBriefs } from "../../records/property/store.ts";
import type { Choices } from "../../text.ts";
import { html } from "../../web/html.ts";
import { type Module } from "../module.ts";
import { PORTFOLIO_SOURCES } from "../portfolio.ts";
import { comparedRates, saleOfRate } from "./cell.ts";
import { rateColumns, rateJson, type RateLine, rateLines } from "./export.ts";
import { matchesFilter, rateGridRows, rateLegend, rateTotals, selectedVerdict } from "./pages.ts";
import { planPanel } from "./plan-panel.ts";
import { type RateRow, rateRows } from "./row.ts";
import { listRatePlans, type RatePlan } from "./store.ts";

type GridDeps = Pick<GridSources, "database" | "clock">;

export const ratesModule: Module<GridDeps> = {
  name: "rates",
  about: "Prices and restrictions per night, as received from the channel.",
  tables: ["rate_page"],
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
      ratesView(services),
    ),
};

function ratesView({ database }: GridDeps): GridView<RateRow, RateLine> {
  return {
    title: "Rates",
    section: "rates",
    about: "view rates",
    measure: "price",
    rows: {
      read: (context, include) => readRows(database, context, include),
      laneOf: rowLane,
      valuesOf: comparableValues,
      matches: matchesFilter,
    },
    compared: comparedRates,
    saleOf: saleOfRate,
    columns: rateColumns,
    linesOf: rateLines,
    json: async (context, rows) => rateJson(context, rows, planNames(await listRatePlans(database, context.property.code))),
    async content(context, found) {
      const plans = await listRatePlans(database, context.property.code);
      const chosenPlan = plans.find(({ code }) => code === context.query.plan);
      return {
        plans: planFilterChoices(plans, context.query.plan),
        rows: rateGridRows(context, found, plans),
        totals: rateTotals(context, found),
        legend: html`${planPanel(chosenPlan)}${rateLegend(context)}`,
      };
    },
    subjectOf: nightSubject,
  };
}

function nightSubject(context: GridContext, rows: readonly RateRow[]): NightSubject {
  const { category, plan } = context.query.nightRow;
  const title = plan === "" ? `${category}, no rate plan` : `${category}, rate plan ${plan}`;
  const groups = ["amounts", "restrictions", "allotment"] as const;
  return {
    kind: "rate",
    lane: plan,
    groups,
    title,
    verdict: selectedVerdict(context, rows),
    related: plan === "" ? [COUNT_LANE] : [COUNT_LANE, RESTRICTION_LANE],
  };
}

/** Counts and closings of the whole category, which apply to each of its plans. */
const COUNT_LANE = { kind: "inventory", lane: "", groups: ["counts", "closed"] } as const;
const RESTRICTION_LANE = { kind: "rate", lane: "", groups: ["restrictions"] } as const;

function planNames(plans: readonly RatePlan[]): ReadonlyMap<string, string> {
  return new Map(plans.map(({ code, name }) => [code, name ?? code]));
}

/** Returns the plans to choose from. Keeps the query's plan selected, even if it is unknown. */
function planFilterChoices(plans: readonly RatePlan[], chosen: string): Choices {
  const planChoices = plans.map(codeChoice);
  return chosen === "" || plans.some(({ code }) => code === chosen) ? planChoices : [...planChoices, [chosen, chosen]];
}

function rowLane({ category, plan }: RateRow): LaneKey {
  return { kind: "rate", category: category.code, lane: plan };
}

function comparableValues({ nights }: RateRow): string[] {
  return nights.map(({ rate }) => JSON.stringify({ ...rate, setters: undefined }));
}

async function readRows(database: Database, context: GridContext, include: readonly LaneKey[]): Promise<RateRow[]> {
  const [inventory, rates] = await Promise.all([
    gridNights(database, context, { kind: "inventory" }),
    gridNights(database, context, { kind: "rate" }),
  ]);
  const count = context.days.length;
  const { plan } = context.query;
  const lanes = withLanes(rates, include);
  if (plan !== "" && !lanes.some(({ lane }) => lane === plan) && !(await isKnownPlan(database, context))) return [];
  return rateRows({
    categories: shownCategories(context),
    plan,
    inventory: inventory.map((lane) => inventoryLane(lane, count)),
    rates: lanes.map((lane) => rateLane(lane, count)),
    include: new Set(include.map(laneName)),
    retired: context.retired,
    dates: context.dates,
  });
}

async function isKnownPlan(database: Database, { property, query }: GridContext): Promise<boolean> {
  const plans = await listRatePlans(database, property.code);
  return plans.some(({ code }) => code === query.plan);
}
