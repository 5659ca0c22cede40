import type { PageKind } from "../../../../calendar/attributes.ts";
import type { LaneKey } from "../../../../calendar/lane.ts";
import type { PageRequest } from "../../../../journal/work.ts";
import type { DecisionContext, HotelReference, HotelRequest, MessageReader, ReadContext } from "../../message.ts";
import { fieldMissing } from "../../ota-error.ts";
import type { SourceLocation, ElementContext } from "../../report.ts";
import { Targets } from "../../updates/targets.ts";
import { ALL_NIGHTS } from "../../updates/update.ts";
import { type DateRange, toDateRange, readEnds } from "./dates.ts";
import { newHotelReference, readHotel } from "./hotel.ts";
import { mergeRanges, type NightRange, outerBounds } from "./night-ranges.ts";
import { IGNORE_CONTAINER, type PullElements, readPull } from "./pull-reader.ts";
import { readCode } from "./values.ts";

/** A request for stored nights. No ranges means all nights; no codes means all categories or plans. */
export type NightsRequest = { ranges: DateRange[]; categories: Map<string, SourceLocation>; plans: Set<string> };

export type NightsQuery = { hotel: HotelReference; requests: NightsRequest[] };

/** `request` is the name of the element for a single request. The list of requests has the same name plus an `s`. */
type QueryFormat = { root: string; request: string; readRequest?(reading: ElementContext): void; more?: PullElements };

export function readNightsQuery(
  { report }: ReadContext,
  { root, request, readRequest, more }: QueryFormat,
  finish: FinishQuery,
): MessageReader {
  const query: NightsQuery = { hotel: newHotelReference(), requests: [] };
  const last = (): NightsRequest => query.requests.at(-1) ?? newRequest(query);
  const elements: PullElements = {
    [root]: IGNORE_CONTAINER,
    [`${request}s`]: IGNORE_CONTAINER,
    [request](reading) {
      newRequest(query);
      readRequest?.(reading);
    },
    HotelRef: (reading) => readHotel(query.hotel, reading),
    DateRange: (reading) => void last().ranges.push(toDateRange(readEnds(reading.attributes), reading)),
    RatePlanCandidates: IGNORE_CONTAINER,
    RatePlanCandidate: (reading) => void last().plans.add(readPlanCode(reading)),
    RoomTypeCandidates: IGNORE_CONTAINER,
    RoomTypeCandidate: (reading) => addCategory(last(), reading),
    ...more,
  };
  return readPull(report, elements, () => {
    if (query.requests.length === 0) report.error(fieldMissing(request), query.hotel.at);
    return finish(query);
  });
}

type FinishQuery = (query: NightsQuery) => HotelRequest;

function newRequest({ requests }: NightsQuery): NightsRequest {
  const request: NightsRequest = { ranges: [], categories: new Map(), plans: new Set() };
  requests.push(request);
  return request;
}

/** Reads a plan code. After an error, returns an empty code, which matches no plan. */
function readPlanCode(reading: ElementContext): string {
  const code = readCode("RatePlanCode", reading) ?? readCode("RatePlanID", reading);
  if (code === undefined) reading.report.error(fieldMissing("RatePlanCode"), reading.at);
  return code ?? "";
}

function addCategory({ categories }: NightsRequest, reading: ElementContext): void {
  const code = readCode("RoomTypeCode", reading);
  if (code === undefined) reading.report.error(fieldMissing("RoomTypeCode"), reading.at);
  else if (!categories.has(code)) categories.set(code, reading.at);
}

/** Returns the pages to read: all pages of a kind, or only the pages of a few plans. */
export function pageRequests({ requests }: NightsQuery, kind: PageKind): PageRequest[] {
  const nights = outerBounds(mergeRanges({ ranges: requestedRanges(requests) }, ALL_NIGHTS));
  if (!nights) return [];
  const plans = new Set(requests.flatMap((request) => [...request.plans]));
  const isLimited = kind === "rate" && plans.size <= MAX_SINGLE_PLANS && requests.every((request) => request.plans.size > 0);
  return isLimited ? [...plans].map((lane) => ({ kind, lane, ...nights })) : [{ kind, ...nights }];
}

/** Maximum number of plans to read one at a time. */
const MAX_SINGLE_PLANS = 100;

/** Returns the ranges of all requests. If any request has no ranges, all nights are requested. */
function requestedRanges(requests: readonly NightsRequest[]): readonly DateRange[] {
  return requests.every(({ ranges }) => ranges.length > 0) ? requests.flatMap(({ ranges }) => ranges) : [];
}

export class RequestedNights {
  /** Range from the first to the last requested night; `undefined` if no requested night can be stored. */
  readonly span: NightRange | undefined;
  readonly #requests: readonly NightsRequest[];
  readonly #context: DecisionContext;

  /** Reports unknown categories. */
  constructor({ requests }: NightsQuery, context: DecisionContext) {
    this.#requests = requests;
    this.#context = context;
    this.span = outerBounds(this.#within(requests));
    const targets = new Targets(context);
    for (const { categories } of requests) for (const [category, at] of categories) targets.categories({ category }, at);
  }

  /** Returns a lane's requested nights, or none if its category or plan is not active. */
  of({ kind, category, lane }: LaneKey): readonly NightRange[] {
    const { categories, plans } = this.#context;
    if (categories.get(category)?.status !== "active") return [];
    if (kind === "rate" && (plans.get(lane)?.status ?? "active") !== "active") return [];
    const matchingRequests = this.#requests.filter(
      (request) =>
        (request.categories.size === 0 || request.categories.has(category)) &&
        (request.plans.size === 0 || (kind === "rate" && request.plans.has(lane))),
    );
    return matchingRequests.length === 0 ? [] : this.#within(matchingRequests);
  }

  #within(requests: readonly NightsRequest[]): NightRange[] {
    const { today, horizon } = this.#context;
    return mergeRanges({ ranges: requestedRanges(requests) }, { first: today, last: horizon });
  }
}
