import { DAY_MS } from "../../../calendar/night.ts";
import type { Removal } from "../../../journal/removal.ts";
import { type Faults, readId, type Typed } from "../../../web/form.ts";
import { type FieldWords, TICKED } from "../../../web/parts/field-words.ts";
import { tick } from "../../../web/rules.ts";

/** What people call the fields of the form that confirms. */
export const REMOVAL_WORDS: FieldWords = {
  labels: { property: "Property", before: "Received before, in milliseconds since 1970", sure: "They may go" },
  choices: { sure: TICKED },
};

/** What is asked of the page that removes messages; `removal` is undefined until all of it can be read. */
export type RemovalQuery = { typed: Typed; faults: Faults; removal: Removal | undefined };

/** Reads what is to be looked at before it is removed: messages of a property, older than some days. */
export function readPreview(typed: Typed, now: number): RemovalQuery {
  const { days = "", property = "" } = typed;
  if (typed.days === undefined) return { typed: { property, days: "90" }, faults: {}, removal: undefined };
  if (!/^\d{1,5}$/.test(days))
    return { typed, faults: { days: "Enter a whole number of days such as 90; 0 for messages of any age" }, removal: undefined };
  return { typed, faults: {}, removal: removalOf(property, now - Number(days) * DAY_MS) };
}

/** Reads what was confirmed: the same messages as were shown, whatever came since. */
export function readConfirmed(typed: Typed): RemovalQuery {
  const { property = "", before = "" } = typed;
  const moment = readId(before);
  if (moment === undefined) return { typed, faults: { days: "Look at what would be removed first" }, removal: undefined };
  const sure = tick(false).safeParse(typed.sure).data === true;
  const faults: Faults = sure ? {} : { sure: "Confirm that the messages may go" };
  return { typed, faults, removal: removalOf(property, moment) };
}

function removalOf(property: string, before: number): Removal {
  return { property: property || undefined, before };
}
