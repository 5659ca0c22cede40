import type { Database } from "../../../../db/database.ts";
import { readNights } from "../../../../journal/nights.ts";
import { storableNights } from "../../limits.ts";
import type { HotelRequest, Message } from "../../message.ts";
import { decideRates, type StoredRates } from "./decide.ts";
import { examples } from "./examples.ts";
import { askedNights, type Nights, type RatesQuery } from "./query.ts";
import { readQuery } from "./read.ts";
import { rateRuns } from "./runs.ts";

/** Answers the stored amounts; AlpineBits BaseRates. */
export const hotelRatePlan: Message = {
  root: "OTA_HotelRatePlanRQ",
  about: "Answers the stored amounts by rate plan and category, nights with the same amounts as one range.",
  actions: [{ action: "OTA_HotelRatePlan:BaseRates", handshake: "action_OTA_HotelRatePlan_BaseRates", capabilities: () => [] }],
  read: (context) => readQuery(context, requestOf),
  examples,
};

function requestOf(query: RatesQuery): HotelRequest {
  let stored: StoredRates = new Map();
  return {
    kind: "hotel",
    hotel: query.hotel,
    lines: 1,
    pages: [],
    async load(database, property, now) {
      const asked = askedNights(query, storableNights(now));
      stored = asked.length === 0 ? new Map() : await readRates(database, property, { first: asked[0]!.first, last: asked.at(-1)!.last });
    },
    decide: (context) => decideRates(query, stored, context),
  };
}

async function readRates(database: Database, property: string, nights: Nights): Promise<StoredRates> {
  const lanes = await readNights(database, { property, kind: "rate", ...nights });
  const byPlan = Map.groupBy(lanes, ({ lane }) => lane);
  return new Map([...byPlan].map(([plan, own]) => [plan, own.flatMap((lane) => rateRuns(lane, nights.first))]));
}
