import { z } from "zod";
import { DAY_MS } from "../../../calendar/night.ts";
import { describeContext, redactSessionIds, type RequestSnapshot } from "../../../errors/describe/error.ts";
import { type ReportUrls, VIOLATION_CLASS, violationMessage, withoutQuery } from "../../../errors/describe/grouping.ts";
import { MAX_LENGTHS, scrubValue, scrubLine } from "../../../errors/describe/redact.ts";
import { readTrace, toTrace } from "../../../errors/describe/trace.ts";
import type { ErrorOutline } from "../../../errors/entry.ts";

export type ErrorReport = {
  class: string;
  message: string;
  stack: string;
  file: string;
  line: number;
  caught: boolean;
  raw: Readonly<Record<string, unknown>>;
};

export type ReportDelivery = { snapshot: RequestSnapshot; at: number };

/** Describes a report. The user agent and the address come from the request, never from the report. */
export function describeReport(source: ErrorOutline["source"], report: ErrorReport, { snapshot, at }: ReportDelivery): ErrorOutline {
  const message = scrubLine(report.message, MAX_LENGTHS.message);
  const file = scrubLine(report.file, MAX_LENGTHS.message);
  const stack = readTrace(report.stack, report.message);
  const trace = stack.lines.length > 1 ? stack : toTrace(file === "" ? [] : [{ file, line: report.line, call: "" }]);
  const outline = {
    at,
    class: scrubLine(report.class, MAX_LENGTHS.class),
    message,
    source,
    caught: report.caught,
    status: undefined,
    detail: {
      object: { status: 0, message, code: 0, file: file || trace.file, line: report.line || trace.line },
      trace: trace.lines,
      ...(stack.cut && { cut: "size" as const }),
    },
  };
  const extraFields = () => ({ report: { ...report.raw, stack: undefined } });
  return { ...redactSessionIds(outline, snapshot), context: (level) => describeContext({ snapshot, at, extra: extraFields }, level) };
}

const text = z.string().nullish();
const count = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullish().catch(undefined);
const thrownSchema = z.looseObject({ name: text, message: text, stack: text });

/** Also accepts the field names that common error reporters use. */
const rawScriptReportSchema = z.looseObject({
  class: text,
  name: text,
  type: text,
  message: text,
  stack: text,
  file: text,
  filename: text,
  source: text,
  line: count,
  lineno: count,
  lineNo: count,
  caught: z.boolean().nullish(),
  handled: z.boolean().nullish(),
  error: z.union([thrownSchema, z.string()]).nullish(),
});

export const scriptReportSchema = rawScriptReportSchema.transform((raw, context): ErrorReport => {
  const error = typeof raw.error === "object" && raw.error !== null ? raw.error : { message: raw.error };
  const message = raw.message || error.message;
  if (!message?.trim()) {
    context.addIssue({ code: "custom", path: ["message"], message: "is required" });
    return z.NEVER;
  }
  return {
    class: [raw.class, raw.name, error.name, raw.type].find((name) => name?.trim()) ?? "Error",
    message,
    stack: raw.stack || error.stack || "",
    file: raw.file || raw.filename || raw.source || "",
    line: raw.line ?? raw.lineno ?? raw.lineNo ?? 0,
    caught: raw.caught ?? raw.handled ?? false,
    raw,
  };
});

const MAX_REPORT_AGE_MS = 7 * DAY_MS;

export type PolicyReport = ReportUrls & Omit<ErrorReport, "stack" | "caught"> & { age: number };

const lenientNumber = z.number().nullish().catch(undefined);

/** CSP `report-uri`: https://www.w3.org/TR/CSP3/#deprecated-serialize-violation */
const legacyViolationSchema = z.looseObject({
  "document-uri": text,
  "blocked-uri": text,
  "effective-directive": text,
  "violated-directive": text,
  "source-file": text,
  "line-number": lenientNumber,
});

/** CSP `report-to`: https://www.w3.org/TR/CSP3/#reporting */
const violationSchema = z.looseObject({
  documentURL: text,
  blockedURL: text,
  effectiveDirective: text,
  violatedDirective: text,
  sourceFile: text,
  lineNumber: lenientNumber,
});

const legacyReportSchema = z.object({ "csp-report": legacyViolationSchema }).transform(({ "csp-report": raw }, context): PolicyReport => {
  const directive = directiveName(raw["effective-directive"], raw["violated-directive"]);
  if (directive === undefined) return rejectReport(context, "csp-report", "effective-directive");
  const { "blocked-uri": blocked, "document-uri": document, "source-file": file, "line-number": line } = raw;
  const addresses = { blocked: blocked ?? "", document: document ?? "", file: file ?? "" };
  return { ...addresses, class: VIOLATION_CLASS, message: violationMessage(directive, addresses), line: line ?? 0, age: 0, raw };
});

/** https://www.w3.org/TR/reporting-1/#serialize-reports */
const reportSchema = z
  .looseObject({
    type: z.string().trim().min(1),
    age: lenientNumber,
    url: text,
    user_agent: text,
    body: z.record(z.string(), z.unknown()).nullish(),
  })
  .transform((raw, context): PolicyReport => {
    const age = Math.min(Math.max(raw.age ?? 0, 0), MAX_REPORT_AGE_MS);
    const document = raw.url ?? "";
    if (raw.type !== "csp-violation") return { ...describeOther(raw.type, raw.body ?? {}), document, class: raw.type, age, raw };
    const body = violationSchema.safeParse(raw.body);
    const directive = body.success ? directiveName(body.data.effectiveDirective, body.data.violatedDirective) : undefined;
    if (!body.success || directive === undefined) return rejectReport(context, "body", "effectiveDirective");
    const { blockedURL, documentURL, sourceFile, lineNumber } = body.data;
    const addresses = { blocked: blockedURL ?? "", document: documentURL ?? document, file: sourceFile ?? "" };
    return { ...addresses, class: VIOLATION_CLASS, message: violationMessage(directive, addresses), line: lineNumber ?? 0, age, raw };
  });

export const policyReportSchema = z.unknown().transform(readReport);

/** Chooses the schema by the report's shape, because with a union, errors could refer to the wrong format. */
function readReport(value: unknown, context: z.RefinementCtx): PolicyReport {
  const isLegacy = typeof value === "object" && value !== null && "csp-report" in value;
  const parsedReport = isLegacy ? legacyReportSchema.safeParse(value) : reportSchema.safeParse(value);
  if (parsedReport.success) return parsedReport.data;
  for (const issue of parsedReport.error.issues) context.addIssue({ code: "custom", path: issue.path, message: issue.message });
  return z.NEVER;
}

function rejectReport(context: z.RefinementCtx, ...path: string[]): never {
  context.addIssue({ code: "custom", path, message: "is required" });
  return z.NEVER;
}

/** Returns the name of a directive. Old browsers append the source list to it. */
function directiveName(effective: string | null | undefined, violated: string | null | undefined): string | undefined {
  return (effective || violated)?.trim().split(/\s/, 1)[0] || undefined;
}

function describeOther(type: string, body: Readonly<Record<string, unknown>>): Pick<PolicyReport, "message" | "blocked" | "file" | "line"> {
  const fallbackMessage = Object.keys(body).length === 0 ? type : JSON.stringify(scrubValue(body));
  const message = typeof body.message === "string" && body.message !== "" ? body.message : fallbackMessage;
  const line = Number(body.lineNumber);
  const file = typeof body.sourceFile === "string" ? body.sourceFile : "";
  return { message, blocked: "", file, line: Number.isSafeInteger(line) ? line : 0 };
}

export function describePolicyReport({ age, ...known }: PolicyReport, delivery: ReportDelivery): ErrorOutline {
  const completeReport = { ...known, file: withoutQuery(known.file), stack: "", caught: false };
  return { ...describeReport("csp", completeReport, delivery), at: Math.round(delivery.at - age) };
}
