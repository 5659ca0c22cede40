import { compareText } from "../../../../calendar/compare-text.ts";
import type { CategoryRow } from "../../../../db/schema.ts";
import type { StoredPlan } from "../../../../journal/work.ts";
import { formatCount } from "../../../../web/parts/amount.ts";
import { MAX_PRODUCTS_RETURNED } from "../../limits.ts";
import type { Decision, DecisionContext, HotelReference, HotelRequest } from "../../message.ts";
import { tooManyValues } from "../../ota-error.ts";
import { ALL_NIGHTS } from "../../updates/update.ts";
import { storedLanes } from "./stored-lanes.ts";

/** An active category and the active rate plans under which it is sold. */
export type Product = { category: CategoryRow; plans: readonly { code: string; name: string }[] };

/** Returns a request for all products, which senders map to their own codes. */
export function productsRequest(
  hotel: HotelReference,
  write: (products: readonly Product[], context: DecisionContext) => string,
): HotelRequest {
  return {
    kind: "hotel",
    hotel,
    lines: 1,
    pages: [{ kind: "rate", first: ALL_NIGHTS.first, last: ALL_NIGHTS.last }],
    decide: (context) => decideProducts(context, write),
  };
}

function decideProducts(context: DecisionContext, write: (products: readonly Product[], context: DecisionContext) => string): Decision {
  const products = listProducts(context);
  const rates = products.reduce((sum, { plans }) => sum + plans.length, 0);
  if (products.length + rates > MAX_PRODUCTS_RETURNED) {
    context.report.error(tooManyValues(`requests more than ${MAX_PRODUCTS_RETURNED} combinations of category and rate plan`));
    return { summary: "" };
  }
  return {
    summary: `${formatCount(products.length, "category", "categories")} with ${formatCount(rates, "rate")} returned`,
    content: write(products, context),
  };
}

/** Lists the products. A plan without stored nights is listed under every category, because senders map new plans before they send nights. */
function listProducts(context: DecisionContext): Product[] {
  const { categories, plans } = context;
  const activePlans = [...plans.values()].filter(({ code, status }) => code !== "" && status === "active").toSorted(compareCodes);
  const listPlans = plansByCategory(context);
  const storedPlans = new Set([...listPlans.values()].flatMap((codes) => [...codes]));
  return [...categories.values()]
    .filter(({ status }) => status === "active")
    .toSorted(compareCodes)
    .map((category) => ({
      category,
      plans: activePlans.filter(({ code }) => !storedPlans.has(code) || listPlans.get(category.code)?.has(code)).map(describePlan),
    }));
}

function describePlan({ code, name }: StoredPlan): Product["plans"][number] {
  return { code, name: name || code };
}

function compareCodes(a: { code: string }, b: { code: string }): number {
  return compareText(a.code, b.code);
}

/** Returns the plans with stored nights, by category. */
function plansByCategory({ pages, today, horizon }: DecisionContext): ReadonlyMap<string, ReadonlySet<string>> {
  const foundPlans = new Map<string, Set<string>>();
  for (const { category, lane, columns } of storedLanes(pages, { first: today, last: horizon }))
    if (columns.size > 0) foundPlans.getOrInsertComputed(category, () => new Set()).add(lane);
  return foundPlans;
}
