import type { DecisionContext } from "../message.ts";
import { fieldMissing } from "../ota-error.ts";
import type { SourceLocation } from "../report.ts";
import type { Update } from "./update.ts";

/** If a plan has only one category, applies the plan's updates to that category. Reports plans with no category or with several. */
export function setOnlyCategories(updates: readonly Update[], context: DecisionContext): readonly Update[] {
  if (!updates.some(({ target }) => target.isOnlyCategory)) return updates;
  const categoryByPlan = new Map<string, string | undefined>();
  return updates.map((update) => {
    const { at, target } = update;
    if (!target.isOnlyCategory) return update;
    const category = categoryByPlan.getOrInsertComputed(target.plan!, (plan) => findOnlyCategory(context, plan, at));
    return category === undefined ? update : { ...update, target: { ...target, category } };
  });
}

/** Returns the only category in which the plan has nights. */
function findOnlyCategory({ categories, pages, report }: DecisionContext, plan: string, at: SourceLocation): string | undefined {
  const storedCategories = new Set(pages.flatMap(({ kind, category, lane }) => (kind === "rate" && lane === plan ? [category] : [])));
  const activeCodes = [...storedCategories].filter((code) => categories.get(code)?.status === "active");
  if (activeCodes.length === 1) return activeCodes[0];
  const why = activeCodes.length === 0 ? "is not stored yet" : `is stored for ${activeCodes.join(", ")}`;
  report.error(fieldMissing(`room_type_id (rate plan ${plan} ${why})`), at);
  return undefined;
}
