import { z } from "zod";
import type { GroupChange } from "../../../errors/storage/group.ts";
import { type FormResult, readForm, readId } from "../../../web/form.ts";
import { counted } from "../../../web/parts/amount.ts";
import { serverZone } from "../../../web/parts/moment.ts";

/** For how long a group is muted: what the form sends, what people call it, and the time as Temporal has it. */
export const MUTES = [
  ["day", "1 day", { days: 1 }],
  ["week", "1 week", { weeks: 1 }],
  ["quarter", "3 months", { months: 3 }],
] as const;

/** The value of the choice that ends a mute when more come. */
export const LOUDER = "louder";

const MOST_AN_HOUR = 1_000_000;

const muteSchema = z
  .object({
    for: z.enum([...MUTES.map(([value]) => value), LOUDER], { error: "Choose for how long: 1 day, 1 week, 3 months, or until more come" }),
    above: z.string().optional(),
  })
  .transform(({ for: how, above = "" }, context): Mute => {
    if (how !== LOUDER) return { length: MUTES.find(([value]) => value === how)! };
    const number = readId(above) ?? MOST_AN_HOUR + 1;
    if (number <= MOST_AN_HOUR) return { above: number };
    context.addIssue({ code: "custom", path: ["above"], message: "Enter how many an hour: a whole number from 1 to 1,000,000" });
    return z.NEVER;
  });

type Mute = { length: (typeof MUTES)[number] } | { above: number };

/** What a posted form may ask for in its field `action`. */
export const GROUP_ACTIONS = ["resolve", "reopen", "mute"] as const;
export type GroupAction = (typeof GROUP_ACTIONS)[number];

/** Reads what is to be done; `now` in UTC milliseconds. */
export function readGroupChange(action: GroupAction, body: unknown, now: number): FormResult<GroupChange> {
  if (action === "mute")
    return readForm(
      muteSchema.transform((mute) => changeOf(mute, now)),
      body,
    );
  const change = action === "resolve" ? { state: "resolved" as const, words: "resolved" } : { state: "open" as const, words: "open" };
  return { ok: true, value: change, typed: {} };
}

function changeOf(mute: Mute, now: number): GroupChange {
  if ("above" in mute)
    return {
      state: "muted",
      words: `muted until more than ${counted(mute.above, "entry", "entries")} in an hour`,
      until: undefined,
      above: mute.above,
    };
  const [, words, length] = mute.length;
  const until = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(serverZone).add(length).epochMilliseconds;
  return { state: "muted", words: `muted for ${words}`, until, above: undefined };
}
