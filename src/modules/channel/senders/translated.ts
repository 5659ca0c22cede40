import type { LaneKey } from "../../../calendar/lane.ts";
import type { Operation } from "../../../calendar/operation.ts";
import type { Database } from "../../../db/database.ts";
import type { PageRequest } from "../../../journal/work.ts";
import type { RecordChange } from "../../../records/audit.ts";
import { categorySubject } from "../../../records/category/store.ts";
import { propertySubject } from "../../../records/property/store.ts";
import type { Decision, DecisionContext, HotelRequest } from "../message.ts";
import { codeReplacedBySenderCode } from "../ota-error.ts";
import type { AuthenticatedClient } from "./access.ts";
import { listPropertyCodes } from "./code-store.ts";
import { CodeMap } from "./codes.ts";

/**
 * Translates a request from a sender that has its own codes. The request is decided with the sender's codes, so that errors, warnings and
 * returned data use them. Stored data uses our codes. `hotel` is our code for a property that the sender can access.
 */
export async function translateRequest(
  database: Database,
  request: HotelRequest,
  { who, hotel }: { who: AuthenticatedClient; hotel: string },
): Promise<HotelRequest> {
  if (who.state === "refused" || !who.codes || who.name === undefined) return request;
  const { properties, hasOthers } = who.codes;
  const codes = new CodeMap(hasOthers ? await listPropertyCodes(database, { sender: who.name, property: hotel }) : []);
  const own = request.hotel.code ?? [...properties].find(([, target]) => target === hotel)?.[0] ?? hotel;
  return {
    ...request,
    pages: request.pages.map((page) => toOurPage(page, codes)),
    decide: (context) => decideInOwnCodes(request, context, { codes, own }),
  };
}

/** `own` is the sender's code for the property. */
type CodeMapping = { codes: CodeMap; own: string };

function decideInOwnCodes(request: HotelRequest, context: DecisionContext, names: CodeMapping): Decision {
  const decision = request.decide(toOwnCodes(context, names));
  const codesInDecision = usedCodes(decision);
  for (const { kind, code } of codesInDecision)
    if (!names.codes.isOwn(kind, code)) context.report.error(codeReplacedBySenderCode(code, names.codes.own(kind, code)!));
  const translatedCodes = codesInDecision.filter(({ kind, code }) => names.codes.ours(kind, code) !== code);
  const words = translatedCodes
    .slice(0, MAX_LISTED_CODES)
    .map(({ kind, code }) => `${code} is our ${kind} ${names.codes.ours(kind, code)}`);
  if (words.length > 0)
    context.report.advise(`sender's codes: ${words.join(", ")}${translatedCodes.length > MAX_LISTED_CODES ? " and more" : ""}`);
  return toOurCodes(decision, context, names);
}

const MAX_LISTED_CODES = 10;

function toOwnCodes(context: DecisionContext, { codes, own }: CodeMapping): DecisionContext {
  const { property, categories, plans, pages } = context;
  return {
    ...context,
    codes,
    property: { ...property, code: own },
    categories: renameEntries(categories, (code) => codes.own("category", code)),
    plans: renameEntries(plans, (code) => codes.own("plan", code)),
    pages: pages.flatMap((page) => {
      const category = codes.own("category", page.category);
      const lane = page.kind === "rate" ? codes.own("plan", page.lane) : page.lane;
      return category === undefined || lane === undefined ? [] : [{ ...page, category, lane }];
    }),
  };
}

function renameEntries<Row extends { code: string }>(
  rows: ReadonlyMap<string, Row>,
  own: (code: string) => string | undefined,
): ReadonlyMap<string, Row> {
  const entries = [...rows].flatMap(([key, row]) => {
    const code = own(key);
    return code === undefined ? [] : [[code, { ...row, code }] as const];
  });
  return new Map(entries);
}

type UsedCode = { kind: "category" | "plan"; code: string };

/** Returns each code in the decision once. Skips empty plan codes, which stand for a category's own nights. */
function usedCodes({ operations = [], plans = [], categories = [] }: Decision): UsedCode[] {
  const all = [
    ...operations.map(({ category }) => ["category", category] as const),
    ...operations.map(({ kind, lane }) => ["plan", kind === "rate" ? lane : undefined] as const),
    ...plans.map(({ code }) => ["plan", code] as const),
    ...categories.map(({ code }) => ["category", code] as const),
  ];
  const byKey = new Map(all.flatMap(([kind, code]) => (code ? [[`${kind} ${code}`, { kind, code }] as const] : [])));
  return [...byKey.values()];
}

function toOurCodes(decision: Decision, { property: { code: property } }: DecisionContext, { codes, own }: CodeMapping): Decision {
  const { operations, plans, categories, history, property: row } = decision;
  const subjects = new Map([[propertySubject(own), propertySubject(property)]]);
  for (const { code } of categories ?? [])
    subjects.set(categorySubject({ hotelCode: own, code }), categorySubject({ hotelCode: property, code: codes.ours("category", code) }));
  const renameSubject = (change: RecordChange) => ({ ...change, subject: subjects.get(change.subject) ?? change.subject });
  return {
    ...decision,
    ...(operations && { operations: operations.map((operation) => toOurOperation(operation, codes)) }),
    ...(plans && { plans: plans.map((plan) => ({ ...plan, code: codes.ours("plan", plan.code) })) }),
    ...(categories && { categories: categories.map((one) => ({ ...one, property, code: codes.ours("category", one.code) })) }),
    ...(history && { history: history.map(renameSubject) }),
    ...(row && { property: { ...row, code: property } }),
  };
}

function toOurOperation(operation: Operation, codes: CodeMap): Operation {
  return operation.type === "assign" ? { ...operation, ...toOurLane(operation, codes) } : { ...operation, ...toOurLane(operation, codes) };
}

function toOurPage(page: PageRequest, codes: CodeMap): PageRequest {
  return { ...page, ...toOurLane(page, codes) };
}

type RequestedLane = Pick<PageRequest, "kind" | "category" | "lane">;

function toOurLane({ kind, category, lane }: RequestedLane, codes: CodeMap): Partial<Pick<LaneKey, "category" | "lane">> {
  return {
    ...(category !== undefined && { category: codes.ours("category", category) }),
    ...(lane !== undefined && { lane: kind === "rate" ? codes.ours("plan", lane) : lane }),
  };
}
