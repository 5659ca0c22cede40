import type { MessageReader, ReadContext } from "../../message.ts";
import { fieldMissing } from "../../ota-error.ts";
import { codeOf } from "../parts/control.ts";
import { rangeOf } from "../parts/dates.ts";
import { noHotel, readHotel } from "../parts/hotel.ts";
import type { Reading } from "../parts/restrictions.ts";
import type { Candidate, RatesQuery } from "./query.ts";

const CONTAINERS: ReadonlySet<string> = new Set(["OTA_HotelRatePlanRQ", "RatePlans", "RatePlan", "RatePlanCandidates"]);

/** Reads `OTA_HotelRatePlanRQ` and hands it to `finish`. */
export function readQuery<T>({ report }: ReadContext, finish: (query: RatesQuery) => T) {
  const query: RatesQuery = { hotel: noHotel(), ranges: [], candidates: [] };
  return {
    open(name, attributes, offset) {
      const reading = { attributes, report, at: { offset, record: undefined } };
      if (name === "DateRange") query.ranges.push(rangeOf({ start: attributes.get("Start"), end: attributes.get("End") }, reading));
      else if (name === "RatePlanCandidate") query.candidates.push(readCandidate(reading));
      else if (name === "HotelRef") readHotel(query.hotel, attributes, { report, offset });
      else if (!CONTAINERS.has(name)) report.ignore(name);
    },
    close() {},
    text() {},
    finish: () => finish(query),
  } satisfies Omit<MessageReader, "finish"> & { finish(): T };
}

function readCandidate({ attributes, report, at }: Reading): Candidate {
  const code = codeOf("RatePlanCode", attributes.get("RatePlanCode") ?? "", { report, at });
  const joinCode = codeOf("RatePlanID", attributes.get("RatePlanID") ?? "", { report, at });
  if (code === undefined && joinCode === undefined) report.error(fieldMissing("RatePlanCode"), at);
  return { code, joinCode };
}
