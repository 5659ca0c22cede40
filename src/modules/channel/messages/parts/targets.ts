import { MAX_WIDE_LINES } from "../../limits.ts";
import type { DecisionContext } from "../../message.ts";
import { note, rateNotFound, roomAndRateNotFound, roomTypeNotActive, roomTypeNotFound, tooMuch } from "../../ota-error.ts";
import type { Place } from "../../report.ts";

/** A category in a list, and where it is named. */
export type Listed = { at: Place; category: string };

/** Finds the categories and rate plans that lines name, and reports each unknown one once. */
export type Targets = {
  /** The category's code, or every category of the hotel when none is named; empty after an error. */
  categories(code: string | undefined, at: Place): readonly string[];
  /** The categories of a list, each once, for one line; empty once a message has too many. */
  listed(list: readonly Listed[]): readonly string[];
  /** Whether the plan may be used; the plan is remembered for `plans`. */
  plan(code: string, category: string | undefined, at: Place): boolean;
  /** The plans that were named. */
  plans(): readonly string[];
};

/** The targets of the property. */
export function targetsOf(context: DecisionContext): Targets {
  const known = new Map<string, readonly string[]>();
  const plans = new Map<string, boolean>();
  const all = [...context.categories.keys()];
  let wide = 0;
  function isTooWide(width: number): boolean {
    wide += width;
    if (wide > MAX_WIDE_LINES && wide - width <= MAX_WIDE_LINES) context.report.error(tooMuch("has too many lines for all categories"));
    return wide > MAX_WIDE_LINES;
  }
  function find(code: string, at: Place): readonly string[] {
    let found = known.get(code);
    if (!found) known.set(code, (found = findCategory(context, code, at)));
    return found;
  }
  return {
    categories(code, at) {
      if (code !== undefined) return find(code, at);
      if (isTooWide(all.length)) return [];
      if (all.length === 0) context.report.warn(note("the hotel has no categories yet"), at);
      return all;
    },
    listed: (list) => (isTooWide(list.length) ? [] : [...new Set(list.flatMap(({ category, at }) => find(category, at)))]),
    plan(code, category, at) {
      let usable = plans.get(code);
      if (usable === undefined) plans.set(code, (usable = isUsablePlan(context, { code, category }, at)));
      return usable;
    },
    plans: () => [...plans.keys()],
  };
}

function findCategory(context: DecisionContext, code: string, at: Place): readonly string[] {
  const category = context.categories.get(code);
  if (category?.status === "active") return [code];
  context.report.error(category ? roomTypeNotActive(code) : roomTypeNotFound(code), at);
  return [];
}

/** When the property accepts known plans only, an unknown plan is error 249, one no longer sold 783. */
function isUsablePlan(context: DecisionContext, { code, category }: { code: string; category: string | undefined }, at: Place): boolean {
  if (context.property.known_plans_only === 0) return true;
  const plan = context.plans.get(code);
  if (plan?.status === "active") return true;
  context.report.error(plan && category !== undefined ? roomAndRateNotFound() : rateNotFound(), at);
  return false;
}
