import type { LaneNights } from "../../../../calendar/lane-nights.ts";
import type { Night } from "../../../../calendar/night.ts";
import { type NightsQuery, readNights } from "../../../../journal/nights.ts";
import { inOnePiece, inPieces, type Pieces } from "../../../../pieces.ts";
import { MAX_AMOUNTS_TOLD, MAX_PLANS, MAX_RANGES_TOLD, storableNights } from "../../limits.ts";
import type { Decision, DecisionContext, HotelRequest, Message } from "../../message.ts";
import { tooMuch } from "../../ota-error.ts";
import { decideRates, type StoredRates } from "./decide.ts";
import { examples } from "./examples.ts";
import { askedNights, type RatesQuery } from "./query.ts";
import { readQuery } from "./read.ts";
import { amountsIn, type RateRun, rateRuns } from "./runs.ts";

/** Answers the stored amounts; AlpineBits BaseRates. */
export const hotelRatePlan: Message = {
  root: "OTA_HotelRatePlanRQ",
  about: "Answers the stored amounts by rate plan and category, nights with the same amounts as one range.",
  actions: [{ action: "OTA_HotelRatePlan:BaseRates", handshake: "action_OTA_HotelRatePlan_BaseRates", capabilities: () => [] }],
  read: (context) => readQuery(context, (query) => inOnePiece(requestOf(query))),
  examples,
};

type Loaded = { stored: StoredRates; amounts: number; excess: string | undefined };

function requestOf(query: RatesQuery): HotelRequest {
  const decide = (context: DecisionContext) => decideRates(query, new Map(), context);
  return {
    kind: "hotel",
    hotel: query.hotel,
    lines: 1,
    pages: [],
    planDetails: true,
    async load(database, property, now) {
      const asked = askedNights(query, storableNights(now));
      const [first, last] = [asked[0]?.first, asked.at(-1)?.last];
      if (first === undefined || last === undefined) return { decide };
      const nights = await readNights(database, { property, ...lanesOf(query), first, last, kind: "rate", groups: ["amounts"] });
      const { stored, amounts, excess } = await inPieces(rangesOf(nights, first));
      if (excess !== undefined) return { decide: (context) => inOnePiece(refuseLarge(context, excess)) };
      return { effort: amounts, decide: (context) => decideRates(query, stored, context) };
    },
    decide,
  };
}

/** The plans that are asked for by their codes, unless these are more than a hotel has; joined ones are not known before they are read. */
function lanesOf({ candidates }: RatesQuery): Pick<NightsQuery, "lanes"> {
  const lanes = new Set<string>();
  for (const { code } of candidates) {
    if (code === undefined) return {};
    lanes.add(code);
  }
  return lanes.size > 0 && lanes.size <= MAX_PLANS ? { lanes: [...lanes] } : {};
}

/** Ends early with more than can be told. */
function* rangesOf(lanes: readonly LaneNights[], first: Night): Pieces<Loaded> {
  const stored = new Map<string, RateRun[]>();
  let [ranges, amounts] = [0, 0];
  let excess: string | undefined;
  for (const lane of lanes) {
    const runs = rateRuns(lane, first);
    ranges += runs.length;
    for (const run of runs) amounts += amountsIn(run);
    excess = excessOf(ranges, amounts);
    if (excess !== undefined) break;
    stored.getOrInsertComputed(lane.lane, () => []).push(...runs);
    yield;
  }
  return { stored, amounts, excess };
}

function excessOf(ranges: number, amounts: number): string | undefined {
  if (ranges > MAX_RANGES_TOLD) return `${MAX_RANGES_TOLD} ranges of nights`;
  return amounts > MAX_AMOUNTS_TOLD ? `${MAX_AMOUNTS_TOLD} amounts` : undefined;
}

function refuseLarge({ report }: DecisionContext, excess: string): Decision {
  report.error(tooMuch(`asks for more than ${excess}; ask for fewer nights, or for rate plans by their codes`));
  return { summary: "" };
}
