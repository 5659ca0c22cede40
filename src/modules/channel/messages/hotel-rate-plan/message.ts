import type { PageRequest } from "../../../../journal/work.ts";
import { MAX_PLANS } from "../../limits.ts";
import type { HotelRequest, Message, MessageReader, ReadContext } from "../../message.ts";
import { fieldMissing } from "../../ota-error.ts";
import type { ElementContext } from "../../report.ts";
import { ALL_NIGHTS } from "../../updates/update.ts";
import { toDateRange, readEnds } from "../parts/dates.ts";
import { newHotelReference, readHotel } from "../parts/hotel.ts";
import { mergeRanges, outerBounds } from "../parts/night-ranges.ts";
import { readCode } from "../parts/values.ts";
import { decideRates } from "./decide.ts";
import { examples } from "./examples.ts";
import type { RatesQuery, Candidate } from "./query.ts";

/** Returns the stored amounts. AlpineBits calls this action BaseRates. */
export const hotelRatePlan: Message = {
  root: "OTA_HotelRatePlanRQ",
  about: "Returns the stored amounts by rate plan and category. Consecutive nights with the same amounts are returned as one range.",
  actions: [{ action: "OTA_HotelRatePlan:BaseRates", handshake: "action_OTA_HotelRatePlan_BaseRates" }],
  hotelElements: ["HotelRef", "RatePlans"],
  read: readQuery,
  examples,
};

function toRequest(query: RatesQuery): HotelRequest {
  return {
    kind: "hotel",
    hotel: query.hotel,
    lines: 1,
    pages: pageRequests(query),
    planDetails: true,
    decide: (context) => decideRates(query, context),
  };
}

function pageRequests(query: RatesQuery): PageRequest[] {
  const nights = outerBounds(mergeRanges(query, ALL_NIGHTS));
  if (!nights) return [];
  const plans = requestedPlans(query);
  return plans ? plans.map((lane) => ({ kind: "rate", lane, ...nights })) : [{ kind: "rate", ...nights }];
}

/**
 * Returns the codes of the requested plans. Returns `undefined` if all plans must be read, for example to find a join code in their
 * details.
 */
function requestedPlans({ candidates }: RatesQuery): string[] | undefined {
  const codes = new Set(candidates.map(({ code }) => code));
  if (codes.size === 0 || codes.size > MAX_PLANS || codes.has(undefined)) return undefined;
  return [...codes] as string[];
}

/** Elements that may identify the hotel: one inside the query, and one around it as in other messages. */
const HOTEL_ELEMENTS: ReadonlySet<string> = new Set(["HotelRef", "RatePlans"]);
const CONTAINER_ELEMENTS: ReadonlySet<string> = new Set(["OTA_HotelRatePlanRQ", "RatePlan", "RatePlanCandidates"]);

function readQuery({ report }: ReadContext): MessageReader {
  const query: RatesQuery = { hotel: newHotelReference(), ranges: [], candidates: [] };
  return {
    open(name, attributes, offset) {
      const reading = { attributes, report, at: { offset, record: undefined } };
      if (name === "DateRange") query.ranges.push(toDateRange(readEnds(attributes), reading));
      else if (name === "RatePlanCandidate") query.candidates.push(readCandidate(reading));
      else if (HOTEL_ELEMENTS.has(name)) readHotel(query.hotel, reading);
      else if (!CONTAINER_ELEMENTS.has(name)) report.ignore(name);
    },
    close() {},
    text() {},
    finish: () => toRequest(query),
  };
}

function readCandidate(reading: ElementContext): Candidate {
  const code = readCode("RatePlanCode", reading);
  const joinCode = readCode("RatePlanID", reading);
  if (code === undefined && joinCode === undefined) reading.report.error(fieldMissing("RatePlanCode"), reading.at);
  return { code, joinCode };
}
