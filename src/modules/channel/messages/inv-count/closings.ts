import type { Night } from "../../../../calendar/night.ts";
import { writeElement, writeEmptyElement } from "../../../../xml/write.ts";
import type { DecisionContext } from "../../message.ts";
import { note } from "../../ota-error.ts";
import { dateAttributes, type NightRange } from "../parts/night-ranges.ts";
import type { RequestedNights } from "../parts/nights-query.ts";
import { storedLanes } from "../parts/stored-lanes.ts";

/**
 * Writes the nights on which the whole property is closed. A closing line can't be for a single category, so if only some categories are
 * closed on a night, warns that it is not included.
 */
export function* closingLines(requested: RequestedNights, context: DecisionContext): Generator<string, undefined> {
  const closedByCategory = closedNights(requested, context);
  const activeCategories = [...context.categories.values()].filter(({ status }) => status === "active");
  const isHotelClosed = (night: Night) => activeCategories.every(({ code }) => closedByCategory.get(code)?.all.has(night));
  const closedHotelNights = new Set<Night>();
  for (const [category, { requested: nights }] of closedByCategory) {
    const partlyClosed = nights.filter((night) => !isHotelClosed(night));
    if (partlyClosed.length > 0)
      context.report.warn(note(`not included: nights on which ${category} is closed but other categories are not`));
    for (const night of nights) if (isHotelClosed(night)) closedHotelNights.add(night);
  }
  for (const nights of consecutiveRanges([...closedHotelNights].toSorted((a, b) => a - b)))
    yield writeElement(
      "Inventory",
      {},
      writeEmptyElement("StatusApplicationControl", { ...dateAttributes(nights, context.profile), AllInvCode: "true" }),
    );
}

/** All closed nights of a category, and the requested nights among them. */
type ClosedNights = { all: ReadonlySet<Night>; requested: readonly Night[] };

function closedNights(requested: RequestedNights, { pages }: DecisionContext): ReadonlyMap<string, ClosedNights> {
  const { span } = requested;
  const closedByCategory = new Map<string, ClosedNights>();
  if (!span) return closedByCategory;
  const own = pages.filter(({ kind, lane }) => kind === "inventory" && lane === "");
  for (const lane of storedLanes(own, span, ["closed"])) {
    const all = new Set<Night>();
    for (const [index, closed] of (lane.columns.get("closed") ?? []).entries()) if (closed === 1) all.add(span.first + index);
    const requestedNights = requested.of(lane);
    closedByCategory.set(lane.category, {
      all,
      requested: [...all].filter((night) => requestedNights.some(({ first, last }) => first <= night && night <= last)),
    });
  }
  return closedByCategory;
}

function* consecutiveRanges(nights: readonly Night[]): Generator<NightRange, undefined> {
  for (let from = 0, to = 0; from < nights.length; from = to + 1) {
    to = from;
    while (nights[to + 1] === nights[to]! + 1) to++;
    yield { first: nights[from]!, last: nights[to]! };
  }
}
