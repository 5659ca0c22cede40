import { MAX_WIDE_LINES } from "../../limits.ts";
import type { DecisionContext } from "../../message.ts";
import { note, rateNotFound, roomAndRateNotFound, roomTypeNotActive, roomTypeNotFound, tooMuch } from "../../ota-error.ts";
import type { Place } from "../../report.ts";

/** A category in a list, and where it is named. */
export type Listed = { at: Place; category: string };

/** Finds the categories and rate plans that lines name, and reports each unknown one once. */
export class Targets {
  readonly #context: DecisionContext;
  readonly #all: readonly string[];
  readonly #known = new Map<string, readonly string[]>();
  readonly #plans = new Map<string, boolean>();
  /** How many categories the lines for several of them came to. */
  #wide = 0;

  constructor(context: DecisionContext) {
    this.#context = context;
    this.#all = [...context.categories.keys()];
  }

  /** The category's code, or every category of the hotel when none is named; empty after an error. */
  categories(code: string | undefined, at: Place): readonly string[] {
    if (code !== undefined) return this.#find(code, at);
    if (this.#isTooWide(this.#all.length)) return [];
    if (this.#all.length === 0) this.#context.report.warn(note("the hotel has no categories yet"), at);
    return this.#all;
  }

  /** The categories of a list, each once, for one line; empty once a message has too many. */
  listed(list: readonly Listed[]): readonly string[] {
    return this.#isTooWide(list.length) ? [] : [...new Set(list.flatMap(({ category, at }) => this.#find(category, at)))];
  }

  /** Whether the plan may be used; the plan is remembered for `plans`. */
  plan(code: string, category: string | undefined, at: Place): boolean {
    let usable = this.#plans.get(code);
    if (usable === undefined) this.#plans.set(code, (usable = isUsablePlan(this.#context, { code, category }, at)));
    return usable;
  }

  /** The plans that were named. */
  plans(): readonly string[] {
    return [...this.#plans.keys()];
  }

  #find(code: string, at: Place): readonly string[] {
    let found = this.#known.get(code);
    if (!found) this.#known.set(code, (found = findCategory(this.#context, code, at)));
    return found;
  }

  /** Counts a line for all categories that has nothing else to find. */
  countWide(): void {
    this.#isTooWide(this.#all.length);
  }

  #isTooWide(width: number): boolean {
    this.#wide += width;
    if (this.#wide <= MAX_WIDE_LINES) return false;
    this.#context.report.error(tooMuch("has too many lines for all categories"));
    return true;
  }
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
