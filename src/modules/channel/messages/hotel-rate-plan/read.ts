import type { MessageReader, ReadContext } from "../../message.ts";
import { fieldMissing, invalidDates } from "../../ota-error.ts";
import { codeOf } from "../parts/control.ts";
import { nightOf } from "../parts/dates.ts";
import { noHotel, readHotel } from "../parts/hotel.ts";
import type { Reading } from "../parts/restrictions.ts";
import type { Candidate, Range, RatesQuery } from "./query.ts";

const CONTAINERS: ReadonlySet<string> = new Set(["OTA_HotelRatePlanRQ", "RatePlans", "RatePlan", "RatePlanCandidates"]);

/** Reads `OTA_HotelRatePlanRQ` and hands it to `finish`. */
export function readQuery<T>({ report }: ReadContext, finish: (query: RatesQuery) => T) {
  const query: RatesQuery = { hotel: noHotel(), ranges: [], candidates: [] };
  return {
    open(name, attributes, offset) {
      const reading = { attributes, report, at: { offset, record: undefined } };
      if (name === "DateRange") query.ranges.push(readRange(reading));
      else if (name === "RatePlanCandidate") query.candidates.push(readCandidate(reading));
      else if (name === "HotelRef") readHotel(query.hotel, attributes, { report, offset });
      else if (!CONTAINERS.has(name)) report.ignore(name);
    },
    close() {},
    text() {},
    finish: () => finish(query),
  } satisfies Omit<MessageReader, "finish"> & { finish(): T };
}

/** One end is enough. */
function readRange({ attributes, report, at }: Reading): Range {
  const start = attributes.get("Start");
  const end = attributes.get("End");
  const first = start === undefined ? undefined : nightOf("Start", start, { report, at });
  const last = end === undefined ? undefined : nightOf("End", end, { report, at });
  if (first !== undefined && last !== undefined && last < first) report.error(invalidDates(start!.trim(), end!.trim()), at);
  return { first, last };
}

function readCandidate({ attributes, report, at }: Reading): Candidate {
  const code = codeOf("RatePlanCode", attributes.get("RatePlanCode") ?? "", { report, at });
  const joinCode = codeOf("RatePlanID", attributes.get("RatePlanID") ?? "", { report, at });
  if (code === undefined && joinCode === undefined) report.error(fieldMissing("RatePlanCode"), at);
  return { code, joinCode };
}
