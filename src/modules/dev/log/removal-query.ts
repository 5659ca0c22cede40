import { DAY_MS } from "../../../calendar/night.ts";
import type { Removal } from "../../../journal/removal.ts";
import { tick } from "../../../records/rules.ts";
import { type Faults, readId, type Typed } from "../../../web/form.ts";
import { type FieldWords, TICKED } from "../../../web/parts/field-words.ts";

export const REMOVAL_WORDS: FieldWords = {
  labels: { property: "Property", before: "Received before (milliseconds since 1970)", sure: "Delete permanently" },
  choices: { sure: TICKED },
};

/** `removal` is undefined until the query is complete and valid. */
export type RemovalQuery = { typed: Typed; faults: Faults; removal: Removal | undefined };

export function readPreview(typed: Typed, now: number): RemovalQuery {
  const { days = "", property = "" } = typed;
  if (typed.days === undefined) return { typed: { property, days: "90" }, faults: {}, removal: undefined };
  if (!/^\d{1,5}$/.test(days))
    return { typed, faults: { days: "Enter a whole number of days, such as 90, or 0 for messages of any age" }, removal: undefined };
  return { typed, faults: {}, removal: removalOf(property, now - Number(days) * DAY_MS) };
}

/** Reads the time of the preview instead of a number of days, so that exactly the previewed messages are deleted. */
export function readConfirmed(typed: Typed): RemovalQuery {
  const { property = "", before = "" } = typed;
  const moment = readId(before);
  if (moment === undefined) return { typed, faults: { days: "Preview the messages first" }, removal: undefined };
  const confirmed = tick(false).safeParse(typed.sure).data === true;
  const faults: Faults = confirmed ? {} : { sure: "Confirm that you want to delete these messages" };
  return { typed, faults, removal: removalOf(property, moment) };
}

function removalOf(property: string, before: number): Removal {
  return { property: property || undefined, before };
}
