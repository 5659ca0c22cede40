import type { Operation } from "../../../calendar/operation.ts";
import type { PropertyRecords, PlanMention } from "../../../journal/work.ts";
import { MAX_AMOUNTS_PER_NIGHT, MAX_CATEGORIES, MAX_STORED_VALUES, MAX_DETAILS_LENGTH, MAX_PLANS } from "../limits.ts";
import type { Decision } from "../message.ts";
import { type Fault, tooManyValues } from "../ota-error.ts";

/**
 * Returns a fault if a message sets too many values. A message of a few megabytes can set so many that all other senders would have to
 * wait.
 */
export function extentFault({ operations = [], plans = [], categories = [] }: Decision, known: PropertyRecords): Fault | undefined {
  return (
    nightsFault(operations) ??
    detailsFault(plans) ??
    growthFault(plans, known.plans, { limit: MAX_PLANS, noun: "rate plans" }) ??
    growthFault(categories, known.categories, { limit: MAX_CATEGORIES, noun: "categories" })
  );
}

/** Limits the size of plan details, because every message for the property reads them. */
function detailsFault(plans: readonly PlanMention[]): Fault | undefined {
  const isLong = plans.some(({ details }) => (details?.length ?? 0) > MAX_DETAILS_LENGTH);
  return isLong ? tooManyValues(`describes a rate plan in more than ${MAX_DETAILS_LENGTH} characters`) : undefined;
}

type RowWithCode = { code: string };

function growthFault(
  named: readonly RowWithCode[],
  known: ReadonlyMap<string, RowWithCode>,
  { limit, noun }: { limit: number; noun: string },
): Fault | undefined {
  if (named.length === 0) return undefined;
  const addedCount = new Set(named.map(({ code }) => code)).difference(known).size;
  return addedCount > 0 && addedCount + known.size > limit
    ? tooManyValues(`would give the property more than ${limit} ${noun}`)
    : undefined;
}

function nightsFault(operations: readonly Operation[]): Fault | undefined {
  let cells = 0;
  for (const operation of operations) {
    if (operation.type !== "assign") continue;
    const { first, last, values } = operation;
    if (values.size > MAX_AMOUNTS_PER_NIGHT) return tooManyValues(`sets more than ${MAX_AMOUNTS_PER_NIGHT} amounts for one night`);
    cells += (last - first + 1) * Math.max(1, values.size);
  }
  return cells > MAX_STORED_VALUES ? tooManyValues(`sets more than ${MAX_STORED_VALUES} values`) : undefined;
}
