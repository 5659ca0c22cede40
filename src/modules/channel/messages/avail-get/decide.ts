import { type Attribute, type AttributeValue, type Group, RESTRICTIONS, type Values } from "../../../../calendar/attributes.ts";
import { element, leaf } from "../../../../xml/write.ts";
import type { Decision, DecisionContext } from "../../message.ts";
import { note } from "../../ota-error.ts";
import type { Profile } from "../../profiles/profile.ts";
import { answerNights, writeControl, type LaneNights } from "../parts/nights-answer.ts";
import type { NightsQuery } from "../parts/nights-query.ts";
import { splitIntoRuns, type StoredLane } from "../parts/stored-lanes.ts";

export type RestrictionsQuery = NightsQuery & { groups: readonly Group[] };

export function decideRestrictions(query: RestrictionsQuery, context: DecisionContext): Decision {
  return answerNights(query, context, { list: "AvailStatusMessages", groups: query.groups, linesOf: writeLines });
}

/** OpenTravel allows only one `RestrictionStatus` per line, so arrival and departure get separate lines. */
const ARRIVAL = "closedToArrival";
const DEPARTURE = "closedToDeparture";
const SALE_RESTRICTIONS = RESTRICTIONS.filter((attribute) => attribute !== ARRIVAL && attribute !== DEPARTURE);

function* writeLines(lane: StoredLane, nights: LaneNights, context: DecisionContext): Generator<string, undefined> {
  // Omits allotments, because a booking limit could be read as the category's.
  if (!splitIntoRuns(lane, ["allotment"], nights).next().done)
    context.report.warn(note("not included: rate plan allotments; OTA_HotelInvCountRQ returns them"));
  for (const form of lane.kind === "inventory" ? [LIMIT] : FORMS) {
    for (const { values, ...range } of splitIntoRuns(lane, form.attributes, nights)) {
      const limit = form.limit?.(values) ?? {};
      const content = form.content(values, context.profile);
      if (content === "" && Object.keys(limit).length === 0) continue;
      yield element("AvailStatusMessage", limit, leaf("StatusApplicationControl", writeControl(lane, range, context)) + content);
    }
  }
}

/** A kind of line: its attributes, and functions that write its limit and the elements after the control. */
type LineForm = {
  attributes: readonly Attribute[];
  limit?(values: Values): Record<string, number | string>;
  content(values: Values, profile: Profile): string;
};

const LIMIT: LineForm = {
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

const SALE: LineForm = { attributes: SALE_RESTRICTIONS, content: (values, profile) => writeStays(values) + writeSale(values, profile) };
const FORMS = [SALE, statusLine(ARRIVAL, "Arrival"), statusLine(DEPARTURE, "Departure")];

function statusLine(attribute: Attribute, restriction: string): LineForm {
  return {
    attributes: [attribute],
    content: (values, profile) =>
      leaf("RestrictionStatus", { Restriction: restriction, Status: statusWord(values.get(attribute), profile) }),
  };
}

function statusWord(closed: AttributeValue | undefined, { closedWord }: Profile): string {
  return closed === 1 ? closedWord : "Open";
}

const STAYS: readonly (readonly [attribute: Attribute, type: string])[] = [
  ["minStayArrival", "SetMinLOS"],
  ["maxStayArrival", "SetMaxLOS"],
  ["minStayThrough", "SetForwardMinStay"],
  ["maxStayThrough", "SetForwardMaxStay"],
];

function writeStays(values: Values): string {
  const stays = STAYS.map(([attribute, MinMaxMessageType]) => {
    const Time = values.get(attribute);
    return Time === undefined ? "" : leaf("LengthOfStay", { MinMaxMessageType, Time, TimeUnit: "Day" });
  });
  const content = stays.join("") + writePattern(values.get("pattern"));
  return content === "" ? "" : element("LengthsOfStay", { ArrivalDateBased: "true" }, content);
}

function writePattern(pattern: number | string | undefined): string {
  if (pattern === undefined) return "";
  return element("LengthOfStay", { MinMaxMessageType: "FullPatternLOS" }, leaf("LOS_Pattern", { FullPatternLOS: pattern }));
}

function writeSale(values: Values, profile: Profile): string {
  const stopSell = values.get("stopSell");
  const status = stopSell === undefined ? {} : { Restriction: "Master", Status: statusWord(stopSell, profile) };
  const window = {
    MinAdvancedBookingOffset: toDuration(values.get("minAdvance")),
    MaxAdvancedBookingOffset: toDuration(values.get("maxAdvance")),
  };
  const isEmpty = stopSell === undefined && Object.values(window).every((offset) => offset === undefined);
  return isEmpty ? "" : leaf("RestrictionStatus", { ...status, ...window });
}

function toDuration(days: number | string | undefined): string | undefined {
  return days === undefined ? undefined : `P${days}D`;
}
