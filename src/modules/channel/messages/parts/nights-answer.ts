import type { Group } from "../../../../calendar/attributes.ts";
import { formatCount } from "../../../../web/parts/amount.ts";
import { writeElement } from "../../../../xml/write.ts";
import { MAX_RANGES_RETURNED } from "../../limits.ts";
import type { Decision, DecisionContext } from "../../message.ts";
import { tooManyValues } from "../../ota-error.ts";
import { dateAttributes, type NightRange } from "./night-ranges.ts";
import { RequestedNights, type NightsQuery } from "./nights-query.ts";
import { type StoredLane, storedLanes } from "./stored-lanes.ts";

/** A range of a lane's nights. `from` is the first night of the lane's columns. */
export type LaneNightRange = NightRange & { from: number };

type ResponseFormat = {
  /** The element around the lines, and the attribute groups they contain. */
  list: string;
  groups: readonly Group[];
  linesOf(lane: StoredLane, nights: LaneNightRange, context: DecisionContext): Iterable<string>;
  /** Writes lines that concern several lanes, after all other lines. */
  lastLines?(requested: RequestedNights, context: DecisionContext): Iterable<string>;
};

/** Writes the requested nights, with one line per run of nights that have the same values. */
export function decideNights(query: NightsQuery, context: DecisionContext, form: ResponseFormat): Decision {
  const { property, report } = context;
  const lines: string[] = [];
  for (const line of writeLines(new RequestedNights(query, context), context, form)) {
    if (lines.push(line) <= MAX_RANGES_RETURNED) continue;
    report.error(
      tooManyValues(`requests more than ${MAX_RANGES_RETURNED} ranges of nights; request fewer nights, categories or rate plans`),
    );
    return { summary: "" };
  }
  return {
    summary: `${formatCount(lines.length, "range")} of nights returned`,
    content: writeElement(form.list, { HotelCode: property.code, HotelName: property.name }, lines.join("")),
  };
}

function* writeLines(
  requested: RequestedNights,
  context: DecisionContext,
  { groups, linesOf, lastLines }: ResponseFormat,
): Generator<string, undefined> {
  const { span } = requested;
  if (!span) return;
  for (const lane of storedLanes(context.pages, span, groups)) {
    for (const nights of requested.of(lane)) yield* linesOf(lane, { ...nights, from: span.first }, context);
  }
  if (lastLines) yield* lastLines(requested, context);
}

export function writeControl(
  { kind, category, lane }: StoredLane,
  nights: NightRange,
  { profile }: DecisionContext,
): Record<string, string | undefined> {
  return {
    ...dateAttributes(nights, profile),
    InvTypeCode: category,
    InvCode: kind === "inventory" ? lane || undefined : undefined,
    RatePlanCode: kind === "rate" ? lane || undefined : undefined,
  };
}
