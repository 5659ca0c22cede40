import {
  type Attribute,
  type AttributeValue,
  type Group,
  RESTRICTION_ATTRIBUTES,
  type AttributeMap,
} from "../../../../calendar/attributes.ts";
import { writeElement, writeEmptyElement } from "../../../../xml/write.ts";
import type { Decision, DecisionContext } from "../../message.ts";
import { note } from "../../ota-error.ts";
import type { Profile } from "../../profiles/profile.ts";
import { decideNights, writeControl, type LaneNightRange } from "../parts/nights-answer.ts";
import type { NightsQuery } from "../parts/nights-query.ts";
import { splitIntoRuns, type StoredLane } from "../parts/stored-lanes.ts";

export type RestrictionsQuery = NightsQuery & { groups: readonly Group[] };

export function decideRestrictions(query: RestrictionsQuery, context: DecisionContext): Decision {
  return decideNights(query, context, { list: "AvailStatusMessages", groups: query.groups, linesOf: writeLines });
}

/** OpenTravel allows only one `RestrictionStatus` per line, so arrivals and departures get separate lines. */
const ARRIVAL_ATTRIBUTE = "closedToArrival";
const DEPARTURE_ATTRIBUTE = "closedToDeparture";
const SALE_RESTRICTIONS = RESTRICTION_ATTRIBUTES.filter(
  (attribute) => attribute !== ARRIVAL_ATTRIBUTE && attribute !== DEPARTURE_ATTRIBUTE,
);

function* writeLines(lane: StoredLane, nights: LaneNightRange, context: DecisionContext): Generator<string, undefined> {
  // Omits allotments, because a plan's booking limit could be mistaken for that of its category.
  if (!splitIntoRuns(lane, ["allotment"], nights).next().done)
    context.report.warn(note("not included: rate plan allotments; OTA_HotelInvCountRQ returns them"));
  for (const form of lane.kind === "inventory" ? [LIMIT_LINE] : LINE_FORMATS) {
    for (const { values, ...range } of splitIntoRuns(lane, form.attributes, nights)) {
      const limit = form.limit?.(values) ?? {};
      const content = form.content(values, context.profile);
      if (content === "" && Object.keys(limit).length === 0) continue;
      yield writeElement(
        "AvailStatusMessage",
        limit,
        writeEmptyElement("StatusApplicationControl", writeControl(lane, range, context)) + content,
      );
    }
  }
}

/** A kind of line: the stored attributes it contains, and functions that write its limit and the elements after the control. */
type LineFormat = {
  attributes: readonly Attribute[];
  limit?(values: AttributeMap): Record<string, number | string>;
  content(values: AttributeMap, profile: Profile): string;
};

const LIMIT_LINE: LineFormat = {
  attributes: ["available", "threshold"],
  limit(values) {
    const available = values.get("available");
    const threshold = values.get("threshold");
    if (available === undefined) return {};
    const set = { BookingLimit: available, BookingLimitMessageType: "SetLimit" };
    return threshold === undefined ? set : { ...set, BookingThreshold: threshold };
  },
  content: () => "",
};

const SALE_LINE: LineFormat = {
  attributes: SALE_RESTRICTIONS,
  content: (values, profile) => writeStayLimits(values) + writeSaleStatus(values, profile),
};
const LINE_FORMATS = [SALE_LINE, statusLine(ARRIVAL_ATTRIBUTE, "Arrival"), statusLine(DEPARTURE_ATTRIBUTE, "Departure")];

function statusLine(attribute: Attribute, restriction: string): LineFormat {
  return {
    attributes: [attribute],
    content: (values, profile) =>
      writeEmptyElement("RestrictionStatus", { Restriction: restriction, Status: statusWord(values.get(attribute), profile) }),
  };
}

function statusWord(closed: AttributeValue | undefined, { closedWord }: Profile): string {
  return closed === 1 ? closedWord : "Open";
}

const STAY_TYPES: readonly (readonly [attribute: Attribute, type: string])[] = [
  ["minStayArrival", "SetMinLOS"],
  ["maxStayArrival", "SetMaxLOS"],
  ["minStayThrough", "SetForwardMinStay"],
  ["maxStayThrough", "SetForwardMaxStay"],
];

function writeStayLimits(values: AttributeMap): string {
  const stayLimits = STAY_TYPES.map(([attribute, MinMaxMessageType]) => {
    const Time = values.get(attribute);
    return Time === undefined ? "" : writeEmptyElement("LengthOfStay", { MinMaxMessageType, Time, TimeUnit: "Day" });
  });
  const content = stayLimits.join("") + writeStayPattern(values.get("pattern"));
  return content === "" ? "" : writeElement("LengthsOfStay", { ArrivalDateBased: "true" }, content);
}

function writeStayPattern(pattern: number | string | undefined): string {
  if (pattern === undefined) return "";
  return writeElement(
    "LengthOfStay",
    { MinMaxMessageType: "FullPatternLOS" },
    writeEmptyElement("LOS_Pattern", { FullPatternLOS: pattern }),
  );
}

function writeSaleStatus(values: AttributeMap, profile: Profile): string {
  const stopSell = values.get("stopSell");
  const status = stopSell === undefined ? {} : { Restriction: "Master", Status: statusWord(stopSell, profile) };
  const bookingWindow = {
    MinAdvancedBookingOffset: toDuration(values.get("minAdvance")),
    MaxAdvancedBookingOffset: toDuration(values.get("maxAdvance")),
  };
  const isEmpty = stopSell === undefined && Object.values(bookingWindow).every((offset) => offset === undefined);
  return isEmpty ? "" : writeEmptyElement("RestrictionStatus", { ...status, ...bookingWindow });
}

function toDuration(days: number | string | undefined): string | undefined {
  return days === undefined ? undefined : `P${days}D`;
}
