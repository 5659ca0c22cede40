import { todayIn } from "../../../calendar/night.ts";
import type { Directory, Note, Notes, Reply, Verdict } from "../../../journal/work.ts";
import { isHotelCodeRequired } from "../dialects.ts";
import type { Admitted } from "../exchange.ts";
import { MAX_LINES, MAX_MILLISECONDS } from "../limits.ts";
import type { Decision, HotelRequest, PlainRequest, DecisionContext } from "../message.ts";
import { type Fault, fieldMissing, hotelNameUnclear, hotelNotActive, hotelNotFound, noAccessToHotel, outOfTime } from "../ota-error.ts";
import { type Finding, Report } from "../report.ts";
import { mayTouch } from "../senders/access.ts";
import { keptHeaders } from "../transports/kept-headers.ts";
import { extentFault } from "./extent.ts";
import { type Refusal, replyWithAnswer, replyWithRefusal } from "./reply.ts";
import { type Answer, type Places, placesIn } from "./write.ts";

const NOTHING = { operations: [], plans: [], categories: [], history: [], completeSet: undefined } as const;

/** What is logged of a request that got no further than its transport. */
export function refuse(admitted: Admitted, reply: Reply, fault: Fault): Verdict {
  const report = admitted.opened.document?.report ?? new Report();
  const outcome = admitted.opened.refusal ? "malformed" : "refused";
  const found = { report, errors: [{ ...fault, at: undefined }], warnings: report.warnings(), places: placesIn(admitted.opened.source) };
  return { ...NOTHING, outcome, reply, summary: fault.text, notes: notesOf(admitted, found) };
}

/** Answers a message in its own name with what is wrong. */
export function answerWithFault(admitted: Admitted, { fault, status, headers = {} }: Refusal): Verdict {
  const { dialect, source } = admitted.opened;
  const answer = answerOf(admitted, { errors: [{ ...fault, at: undefined }], warnings: [], content: "", places: placesIn(source) });
  return refuse(admitted, replyWithAnswer(answer, dialect, { status, headers }), fault);
}

function answerOf({ opened, startedAt }: Admitted, said: Pick<Answer, "errors" | "warnings" | "content" | "places">): Answer {
  return { root: opened.document!.root!, head: opened.document!.head, now: startedAt, ...said };
}

/**
 * Refuses a request in the words of its transport: in the name of its message where it has one that could be read, else as an
 * error document, or as a text.
 */
export function refuseOutright(admitted: Admitted, refusal: Refusal): Verdict {
  const { document, dialect } = admitted.opened;
  if (document?.request && dialect.name === "plain") return answerWithFault(admitted, refusal);
  return refuse(admitted, replyWithRefusal(refusal, dialect, admitted.startedAt), refusal.fault);
}

/** Answers a request that concerns no hotel. */
export function answerPlainly(admitted: Admitted, request: PlainRequest): Verdict {
  const report = admitted.opened.document!.report;
  const { summary, content } = request.answer();
  return conclude(admitted, report, { summary, content });
}

type Hotel = { hotel: string | undefined; directory: Directory };

/** Decides a request about a hotel. Reports all errors at once, except for a request that waited too long to be decided. */
export function decideRequest(admitted: Admitted, request: HotelRequest, { hotel, directory }: Hotel): Verdict {
  if (admitted.elapsed() > MAX_MILLISECONDS) return refuseLate(admitted);
  const report = admitted.opened.document!.report.copy();
  const fault = hotelFault(admitted, request, { hotel, directory });
  if (fault) report.error(fault, fault.code === 321 ? request.hotel.at : undefined);
  const isHopeless = fault !== undefined || request.lines > MAX_LINES;
  const decision = isHopeless ? undefined : request.decide(contextOf(admitted, directory, report));
  const excess = report.refused || !decision ? undefined : extentFault(decision, directory);
  if (excess) report.error(excess);
  return conclude(admitted, report, decision);
}

/** A sender without access gets the same answer whether the property exists or not. */
function hotelFault({ who, opened }: Admitted, request: HotelRequest, { hotel, directory }: Hotel): Fault | undefined {
  const { code, name } = request.hotel;
  if (code !== undefined && !mayTouch(who, code)) return noAccessToHotel(code);
  if (hotel === undefined)
    return name === undefined || isHotelCodeRequired(opened.dialect) ? fieldMissing("HotelCode") : hotelNameUnclear(name);
  if (!directory.property) return hotelNotFound(hotel);
  return directory.property.status === "inactive" ? hotelNotActive(hotel) : undefined;
}

function contextOf({ opened, startedAt }: Admitted, directory: Directory, report: Report): DecisionContext {
  const property = directory.property!;
  const today = todayIn(property.time_zone, startedAt);
  const horizon = today + property.horizon_days;
  return { ...directory, dialect: opened.dialect, property, today, horizon, now: startedAt, report };
}

/** The sender may have given up by now and must not be surprised by what is stored later. */
function refuseLate(admitted: Admitted): Verdict {
  const refusal = { status: 503, fault: outOfTime(), headers: { "retry-after": "30" } };
  return { ...refuseOutright(admitted, refusal), outcome: "failed" };
}

function conclude(admitted: Admitted, report: Report, decision: Decision | undefined): Verdict {
  const { dialect, source } = admitted.opened;
  const found = { errors: report.errors(), warnings: report.warnings(), places: placesIn(source) };
  const { errors, warnings } = found;
  const reply = replyWithAnswer(answerOf(admitted, { ...found, content: decision?.content ?? "" }), dialect);
  const notes = notesOf(admitted, { report, ...found });
  if (errors.length > 0 || !decision) return { ...NOTHING, outcome: "refused", reply, notes, summary: errors[0]?.text ?? "" };
  return { ...NOTHING, ...decision, outcome: warnings.length > 0 ? "warnings" : "ok", reply, notes };
}

type Found = { report: Report; errors: readonly Finding[]; warnings: readonly Finding[]; places: Places };

function notesOf({ incoming }: Admitted, { report, errors, warnings, places }: Found): Notes {
  const note = (finding: Finding): Note => noteOf(finding, places);
  return {
    errors: errors.map(note),
    warnings: warnings.map(note),
    advisories: report.advisories(),
    ignored: report.ignored(),
    headers: keptHeaders(incoming.headers),
  };
}

function noteOf(finding: Finding, places: Places): Note {
  const { type, code, text } = finding;
  return { type, text, code, at: places.id(finding), record: finding.at?.record };
}
