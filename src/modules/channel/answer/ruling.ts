import { todayIn } from "../../../calendar/night.ts";
import type { PropertyRecords, MessageNote, MessageNotes, HttpResponse, MessageVerdict } from "../../../journal/work.ts";
import type { ResponseContent } from "../dialects/dialect.ts";
import type { AdmittedRequest } from "../exchange.ts";
import { MAX_LINES, MAX_PROCESSING_MS } from "../limits.ts";
import type { Decision, HotelRequest, PlainRequest, DecisionContext } from "../message.ts";
import { type Fault, hotelMissing, ambiguousHotelName, hotelNotActive, hotelNotFound, noAccessToHotel } from "../ota-error.ts";
import { type ReportedFinding, type FindingLocations, locateFindings, MessageReport } from "../report.ts";
import { findHotelCode, senderProfile } from "../senders/access.ts";
import { selectHeaders } from "../transports/kept-headers.ts";
import { messageSizeFault } from "./extent.ts";
import { LATE_REFUSAL, type MessageRefusal } from "./refusal.ts";

const NO_CHANGES = { operations: [], plans: [], categories: [], history: [], completeSet: undefined } as const;

export function refusalVerdict(admitted: AdmittedRequest, reply: HttpResponse, fault: Fault): MessageVerdict {
  const report = admitted.opened.document?.report ?? new MessageReport();
  const outcome = admitted.opened.refusal ? "malformed" : "refused";
  const findings = {
    report,
    errors: [{ ...fault, at: undefined }],
    warnings: report.warnings(),
    locations: locateFindings(admitted.opened.source),
  };
  return { ...NO_CHANGES, outcome, reply, summary: fault.text, notes: toNotes(admitted, findings) };
}

export function respondWithFault(admitted: AdmittedRequest, { fault, status, headers = {} }: MessageRefusal): MessageVerdict {
  const { dialect, source } = admitted.opened;
  const responseContent = writeResponse(admitted, {
    id: undefined,
    errors: [{ ...fault, at: undefined }],
    warnings: [],
    content: "",
    locations: locateFindings(source),
  });
  return refusalVerdict(admitted, dialect.answer(responseContent, { status, headers }), fault);
}

function writeResponse(
  { opened, startedAt }: AdmittedRequest,
  parts: Pick<ResponseContent, "id" | "errors" | "warnings" | "content" | "locations">,
): ResponseContent {
  return { root: opened.document!.root!, head: opened.document!.head, now: startedAt, ...parts };
}

/** Refuses a request. If the message was readable and the dialect supports it, the response has the message's own response type. */
export function refuseRequest(admitted: AdmittedRequest, refusal: MessageRefusal): MessageVerdict {
  const { document, dialect } = admitted.opened;
  if (document?.request && dialect.refusesInOwnResponse) return respondWithFault(admitted, refusal);
  return refusalVerdict(admitted, dialect.refuse(refusal, admitted.startedAt), refusal.fault);
}

export function respondToPlain(admitted: AdmittedRequest, request: PlainRequest): MessageVerdict {
  const report = admitted.opened.document!.report;
  const { summary, content } = request.answer();
  return concludeVerdict(admitted, report, { decision: { summary, content } });
}

type HotelForDecision = { hotel: string | undefined; directory: PropertyRecords; id?: number };

export function decideRequest(
  admitted: AdmittedRequest,
  request: HotelRequest,
  { hotel, directory, id }: HotelForDecision,
): MessageVerdict {
  if (admitted.elapsed() > MAX_PROCESSING_MS) return { ...refuseRequest(admitted, LATE_REFUSAL), outcome: "failed" };
  const report = admitted.opened.document!.report.copy();
  const fault = hotelFault(admitted, request, { hotel, directory });
  if (fault) report.error(fault, fault.code === 321 ? request.hotel.at : undefined);
  const isRefused = fault !== undefined || request.lines > MAX_LINES;
  const decision = isRefused ? undefined : request.decide(decisionContext(admitted, directory, report));
  const excess = report.refused || !decision ? undefined : messageSizeFault(decision, directory);
  if (excess) report.error(excess);
  return concludeVerdict(admitted, report, { decision, id });
}

/** A sender without access gets the same response whether or not the property exists. */
function hotelFault({ who, opened }: AdmittedRequest, request: HotelRequest, { hotel, directory }: HotelForDecision): Fault | undefined {
  const { code, name } = request.hotel;
  if (code !== undefined && findHotelCode(who, code) === undefined) return noAccessToHotel(code);
  if (hotel === undefined)
    return name === undefined || opened.dialect.requiresHotelCode
      ? hotelMissing(senderProfile(who), opened.dialect.hotelField)
      : ambiguousHotelName(name);
  if (!directory.property) return hotelNotFound(code ?? hotel);
  return REJECTING_STATUSES.has(directory.property.status) ? hotelNotActive(code ?? hotel) : undefined;
}

const REJECTING_STATUSES: ReadonlySet<string> = new Set(["inactive", "archived"]);

function decisionContext({ opened, who, startedAt }: AdmittedRequest, directory: PropertyRecords, report: MessageReport): DecisionContext {
  const property = directory.property!;
  const today = todayIn(property.time_zone, startedAt);
  const horizon = today + property.horizon_days;
  return { ...directory, dialect: opened.dialect, profile: senderProfile(who), property, today, horizon, now: startedAt, report };
}

type DecidedOutcome = { decision: Decision | undefined; id?: number | undefined };

function concludeVerdict(admitted: AdmittedRequest, report: MessageReport, { decision, id }: DecidedOutcome): MessageVerdict {
  const { dialect, source } = admitted.opened;
  const findings = { errors: report.errors(), warnings: report.warnings(), locations: locateFindings(source) };
  const { errors, warnings } = findings;
  const reply = dialect.answer(writeResponse(admitted, { ...findings, id, content: decision?.content ?? "" }));
  const notes = toNotes(admitted, { report, ...findings });
  if (errors.length > 0 || !decision) return { ...NO_CHANGES, outcome: "refused", reply, notes, summary: errors[0]?.text ?? "" };
  return { ...NO_CHANGES, ...decision, outcome: warnings.length > 0 ? "warnings" : "ok", reply, notes };
}

type ResponseFindings = {
  report: MessageReport;
  errors: readonly ReportedFinding[];
  warnings: readonly ReportedFinding[];
  locations: FindingLocations;
};

function toNotes({ incoming }: AdmittedRequest, { report, errors, warnings, locations }: ResponseFindings): MessageNotes {
  const note = (finding: ReportedFinding): MessageNote => toNote(finding, locations);
  return {
    errors: errors.map(note),
    warnings: warnings.map(note),
    advisories: report.advisories(),
    ignored: report.ignored(),
    headers: selectHeaders(incoming.headers),
    ...(incoming.original !== undefined && { original: incoming.original }),
  };
}

function toNote(finding: ReportedFinding, locations: FindingLocations): MessageNote {
  const { type, code, text, unknown, position } = finding;
  const at = position ? `${position.line}:${position.column}` : locations.id(finding);
  return { type, text, code, at, record: finding.at?.record, unknown };
}
