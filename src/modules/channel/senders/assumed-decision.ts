import { todayIn } from "../../../calendar/night.ts";
import type { CategoryRow, PropertyRow, RatePlanRow } from "../../../db/schema.ts";
import type { StoredBodies } from "../../../journal/messages.ts";
import type { StoredPlan } from "../../../journal/work.ts";
import type { OpenedRequest } from "../exchange.ts";
import type { Decision, DecisionContext, HotelRequest } from "../message.ts";
import { newCategory } from "../messages/descriptive-content-notif/category-row.ts";
import { messages } from "../messages/index.ts";
import { openRequest } from "../transports/open.ts";
import { type SenderIdentity, senderProfile } from "./access.ts";

/** A message from the log that can be decided again. */
export type LoggedMessage = { opened: OpenedRequest; request: HotelRequest };

/** Parses a logged message with its sender's settings. Returns undefined if it doesn't concern a property. */
export async function readLogged(who: SenderIdentity, { bodies, notes }: StoredBodies): Promise<LoggedMessage | undefined> {
  // The logged body is not compressed, so this header no longer applies.
  const headers = { ...notes.headers, "content-encoding": undefined };
  const openedRequest = await openRequest(messages, { headers, body: bodies.request, who, remote: undefined, via: "console" });
  const request = openedRequest.document?.request;
  return request?.kind === "hotel" ? { opened: openedRequest, request } : undefined;
}

type AssumedRecords = {
  who: SenderIdentity;
  property: PropertyRow;
  categories: readonly CategoryRow[];
  plans: readonly RatePlanRow[];
  now: number;
};

/**
 * What a message would do if its `unknown` categories existed. If other errors would cause it to be `refused`, its records may be
 * incomplete.
 */
export type AssumedDecision = { decision: Decision; unknown: readonly string[]; refused: boolean };

/**
 * Decides a message as if its categories existed and new rate plans were accepted. Stores nothing. `unknown` lists the codes of the
 * categories that don't exist.
 */
export function decideAssumed({ opened: openedRequest, request }: LoggedMessage, assumed: AssumedRecords): AssumedDecision {
  const first = assumedContext(openedRequest, assumed, assumed.categories);
  const decision = request.decide(first);
  const codes = first.report.errors().flatMap(({ unknown }) => (unknown?.kind === "category" ? [unknown.code] : []));
  const unknownCodes = [...new Set(codes)];
  if (unknownCodes.length === 0) return { decision, unknown: unknownCodes, refused: first.report.refused };
  const assumedCategories = unknownCodes.map((code) => newCategory(code, first));
  const secondContext = assumedContext(openedRequest, assumed, [...assumed.categories, ...assumedCategories]);
  return { decision: request.decide(secondContext), unknown: unknownCodes, refused: secondContext.report.refused };
}

function assumedContext(openedRequest: OpenedRequest, assumed: AssumedRecords, categories: readonly CategoryRow[]): DecisionContext {
  const { who, property, plans, now } = assumed;
  const today = todayIn(property.time_zone, now);
  return {
    dialect: openedRequest.dialect,
    profile: senderProfile(who),
    property: { ...property, known_plans_only: 0 },
    categories: new Map(categories.map((row) => [row.code, row])),
    plans: new Map(plans.map((row): [string, StoredPlan] => [row.code, row])),
    completeSets: { counts: undefined, "rate plans": undefined },
    distribution: undefined,
    pages: [],
    today,
    horizon: today + property.horizon_days,
    now,
    report: openedRequest.document!.report.copy(),
  };
}
