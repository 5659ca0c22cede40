import type { Operation } from "../../../calendar/operation.ts";
import type { PropertyRecords, PlanMention } from "../../../journal/work.ts";
import { MAX_AMOUNTS_PER_NIGHT, MAX_CATEGORIES, MAX_STORED_VALUES, MAX_DETAILS_LENGTH, MAX_PLANS } from "../limits.ts";
import type { Decision } from "../message.ts";
import { type Fault, tooManyValues } from "../ota-error.ts";

/** Returns a fault if a message sets too many values. Otherwise a message of a few megabytes could make all other senders wait. */
export function messageSizeFault({ operations = [], plans = [], categories = [] }: Decision, known: PropertyRecords): Fault | undefined {
  return (
    valueCountFault(operations) ??
    detailsSizeFault(plans) ??
    recordCountFault(plans, known.plans, { limit: MAX_PLANS, noun: "rate plans" }) ??
    recordCountFault(categories, known.categories, { limit: MAX_CATEGORIES, noun: "categories" })
  );
}

/** Limits the size of plan details, because they are read for every message to the property. */
function detailsSizeFault(plans: readonly PlanMention[]): Fault | undefined {
  const isLong = plans.some(({ details }) => (details?.length ?? 0) > MAX_DETAILS_LENGTH);
  return isLong ? tooManyValues(`describes a rate plan in more than ${MAX_DETAILS_LENGTH} characters`) : undefined;
}

type RowWithCode = { code: string };

function recordCountFault(
  sent: readonly RowWithCode[],
  known: ReadonlyMap<string, RowWithCode>,
  { limit, noun }: { limit: number; noun: string },
): Fault | undefined {
  if (sent.length === 0) return undefined;
  const addedCount = new Set(sent.map(({ code }) => code)).difference(known).size;
  return addedCount > 0 && addedCount + known.size > limit
    ? tooManyValues(`would give the property more than ${limit} ${noun}`)
    : undefined;
}

function valueCountFault(operations: readonly Operation[]): Fault | undefined {
  let cells = 0;
  for (const operation of operations) {
    if (operation.type !== "assign") continue;
    const { first, last, values } = operation;
    if (values.size > MAX_AMOUNTS_PER_NIGHT) return tooManyValues(`sets more than ${MAX_AMOUNTS_PER_NIGHT} amounts for one night`);
    cells += (last - first + 1) * Math.max(1, values.size);
  }
  return cells > MAX_STORED_VALUES ? tooManyValues(`sets more than ${MAX_STORED_VALUES} values`) : undefined;
}
