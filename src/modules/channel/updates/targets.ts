import { MAX_LINES_FOR_ALL_CATEGORIES } from "../limits.ts";
import type { DecisionContext } from "../message.ts";
import { note, planRetired, rateNotFound, roomAndRateNotFound, roomTypeNotActive, roomTypeNotFound, tooManyValues } from "../ota-error.ts";
import type { SourceLocation } from "../report.ts";
import type { UpdateTarget } from "./update.ts";

/** Looks up the categories and rate plans that updates refer to. Reports each unknown code once. */
export class Targets {
  readonly #context: DecisionContext;
  readonly #all: readonly string[];
  readonly #categories = new Map<string, readonly string[]>();
  readonly #plans = new Map<string, boolean>();
  /** Number of categories that lines for several categories apply to, summed over these lines. */
  #wide = 0;
  /** The last line that applies to several categories. Its rates are separate updates, but the line counts only once. */
  #wideLine: SourceLocation | undefined;

  constructor(context: DecisionContext) {
    this.#context = context;
    this.#all = [...context.categories.keys()];
  }

  /** Returns the codes of the target's categories, or an empty list after an error. */
  categories(target: Pick<UpdateTarget, "category" | "categories" | "isOnlyCategory">, at: SourceLocation): readonly string[] {
    const { category, categories = [] } = target;
    if (category !== undefined) return this.#find(category, at);
    // The error has already been reported.
    if (target.isOnlyCategory) return [];
    if (categories.length > 0)
      return this.#isTooWide(categories.length) ? [] : [...new Set(categories.flatMap((named) => this.#find(named.category, named.at)))];
    if (at !== this.#wideLine && this.#isTooWide(this.#all.length)) return [];
    this.#wideLine = at;
    if (this.#all.length === 0) this.#context.report.warn(note("the hotel has no categories yet"), at);
    return this.#all;
  }

  plan(code: string, category: string | undefined, at: SourceLocation): boolean {
    let isUsable = this.#plans.get(code);
    if (isUsable === undefined) this.#plans.set(code, (isUsable = isUsablePlan(this.#context, { code, category }, at)));
    return isUsable;
  }

  /** Marks a plan as known, because the message creates it. */
  addPlan(code: string, at: SourceLocation): void {
    this.#plans.set(code, true);
    warnIfRetired(this.#context, code, at);
  }

  plans(): readonly string[] {
    return [...this.#plans.keys()];
  }

  /** Counts an update that applies to all categories, without looking up the categories. */
  countWide(): void {
    this.#isTooWide(this.#all.length);
  }

  #find(code: string, at: SourceLocation): readonly string[] {
    return this.#categories.getOrInsertComputed(code, () => findCategory(this.#context, code, at));
  }

  #isTooWide(width: number): boolean {
    this.#wide += width;
    if (this.#wide <= MAX_LINES_FOR_ALL_CATEGORIES) return false;
    this.#context.report.error(tooManyValues("has too many lines for all categories"));
    return true;
  }
}

function findCategory(context: DecisionContext, code: string, at: SourceLocation): readonly string[] {
  const category = context.categories.get(code);
  if (category?.status === "active") return [code];
  context.report.error(category ? roomTypeNotActive(code) : roomTypeNotFound(code), at);
  return [];
}

/**
 * Returns whether the plan can be used. If only known plans are accepted, reports error 783 for a removed or retired plan in a line with
 * a category, and error 249 for any other plan that is not active.
 */
function isUsablePlan(
  context: DecisionContext,
  { code, category }: { code: string; category: string | undefined },
  at: SourceLocation,
): boolean {
  if (context.property.known_plans_only === 0) {
    warnIfRetired(context, code, at);
    return true;
  }
  const plan = context.plans.get(code);
  if (plan?.status === "active") return true;
  context.report.error(plan && category !== undefined ? roomAndRateNotFound() : rateNotFound(code), at);
  return false;
}

function warnIfRetired({ plans, report }: DecisionContext, code: string, at: SourceLocation): void {
  if (plans.get(code)?.status === "retired") report.warn(planRetired(code), at);
}
