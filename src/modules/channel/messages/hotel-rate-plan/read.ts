import type { HotelRequest, MessageReader, ReadContext } from "../../message.ts";
import { fieldMissing } from "../../ota-error.ts";
import type { Reading } from "../../report.ts";
import { codeIn } from "../parts/attributes.ts";
import { dateRangeOf, endsIn } from "../parts/dates.ts";
import { noHotel, readHotel } from "../parts/hotel.ts";
import type { Candidate, RatesQuery } from "./query.ts";

/** Where the hotel is named: in the query, or where all other messages name it. */
const HOTELS: ReadonlySet<string> = new Set(["HotelRef", "RatePlans"]);
const CONTAINERS: ReadonlySet<string> = new Set(["OTA_HotelRatePlanRQ", "RatePlan", "RatePlanCandidates"]);

/** Reads `OTA_HotelRatePlanRQ` and hands it to `finish`. */
export function readQuery({ report }: ReadContext, finish: (query: RatesQuery) => HotelRequest): MessageReader {
  const query: RatesQuery = { hotel: noHotel(), ranges: [], candidates: [] };
  return {
    open(name, attributes, offset) {
      const reading = { attributes, report, at: { offset, record: undefined } };
      if (name === "DateRange") query.ranges.push(dateRangeOf(endsIn(attributes), reading));
      else if (name === "RatePlanCandidate") query.candidates.push(readCandidate(reading));
      else if (HOTELS.has(name)) readHotel(query.hotel, reading);
      else if (!CONTAINERS.has(name)) report.ignore(name);
    },
    close() {},
    text() {},
    finish: () => finish(query),
  };
}

function readCandidate(reading: Reading): Candidate {
  const code = codeIn("RatePlanCode", reading);
  const joinCode = codeIn("RatePlanID", reading);
  if (code === undefined && joinCode === undefined) reading.report.error(fieldMissing("RatePlanCode"), reading.at);
  return { code, joinCode };
}
