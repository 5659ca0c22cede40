import { z } from "zod";
import { DAY_MS } from "../../../calendar/night.ts";
import type { ReportAddresses } from "../../../errors/describe/ignore.ts";
import { scrub } from "../../../errors/describe/redact.ts";
import { VIOLATION, withoutQuery, wordViolation } from "../../../errors/describe/violation.ts";
import type { ErrorOutline } from "../../../errors/entry.ts";
import { type Arrival, reportEntry, type Reported, reportsOf } from "./report-entry.ts";

const OLDEST_MS = 7 * DAY_MS;

/** A report that a browser made by itself; `age` is how many milliseconds ago. */
export type PolicyReport = ReportAddresses & Omit<Reported, "stack" | "caught"> & { age: number };

const text = z.string().nullish();
const count = z.number().nullish().catch(undefined);

/** CSP level 2 and 3, `report-uri`: https://www.w3.org/TR/CSP3/#deprecated-serialize-violation */
const legacyViolation = z.looseObject({
  "document-uri": text,
  "blocked-uri": text,
  "effective-directive": text,
  "violated-directive": text,
  "source-file": text,
  "line-number": count,
});

/** CSP level 3, `report-to`: https://www.w3.org/TR/CSP3/#reporting */
const violation = z.looseObject({
  documentURL: text,
  blockedURL: text,
  effectiveDirective: text,
  violatedDirective: text,
  sourceFile: text,
  lineNumber: count,
});

const legacyReport = z.object({ "csp-report": legacyViolation }).transform(({ "csp-report": sent }, context): PolicyReport => {
  const directive = directiveOf(sent["effective-directive"], sent["violated-directive"]);
  if (directive === undefined) return refuse(context, "csp-report", "effective-directive");
  const { "blocked-uri": blocked, "document-uri": document, "source-file": file, "line-number": line } = sent;
  const addresses = { blocked: blocked ?? "", document: document ?? "", file: file ?? "" };
  return { ...addresses, class: VIOLATION, message: wordViolation(directive, addresses), line: line ?? 0, age: 0, sent };
});

/** Of the Reporting API: https://www.w3.org/TR/reporting-1/#serialize-reports */
const report = z
  .looseObject({
    type: z.string().trim().min(1),
    age: count,
    url: text,
    user_agent: text,
    body: z.record(z.string(), z.unknown()).nullish(),
  })
  .transform((sent, context): PolicyReport => {
    const age = Math.min(Math.max(sent.age ?? 0, 0), OLDEST_MS);
    const document = sent.url ?? "";
    if (sent.type !== "csp-violation") return { ...describeOther(sent.body ?? {}), document, class: sent.type, age, sent };
    const body = violation.safeParse(sent.body);
    const directive = body.success ? directiveOf(body.data.effectiveDirective, body.data.violatedDirective) : undefined;
    if (!body.success || directive === undefined) return refuse(context, "body", "effectiveDirective");
    const { blockedURL, documentURL, sourceFile, lineNumber } = body.data;
    const addresses = { blocked: blockedURL ?? "", document: documentURL ?? document, file: sourceFile ?? "" };
    return { ...addresses, class: VIOLATION, message: wordViolation(directive, addresses), line: lineNumber ?? 0, age, sent };
  });

/** What `/_errors/csp` takes: reports of either kind. */
export const policyReports = reportsOf(z.unknown().transform(readReport));

/** The kind is told by the shape, so that the reason of a refusal speaks of the right one. */
function readReport(value: unknown, context: z.RefinementCtx): PolicyReport {
  const legacy = typeof value === "object" && value !== null && "csp-report" in value;
  const read = legacy ? legacyReport.safeParse(value) : report.safeParse(value);
  if (read.success) return read.data;
  for (const issue of read.error.issues) context.addIssue({ code: "custom", path: issue.path, message: issue.message });
  return z.NEVER;
}

function refuse(context: z.RefinementCtx, ...path: string[]): never {
  context.addIssue({ code: "custom", path, message: "is required" });
  return z.NEVER;
}

/** Old browsers put the whole source list after the name of the directive. */
function directiveOf(effective: string | null | undefined, violated: string | null | undefined): string | undefined {
  return (effective || violated)?.trim().split(/\s/, 1)[0] || undefined;
}

function describeOther(body: Readonly<Record<string, unknown>>): Pick<PolicyReport, "message" | "blocked" | "file" | "line"> {
  const message = typeof body.message === "string" && body.message !== "" ? body.message : JSON.stringify(scrub(body));
  const line = Number(body.lineNumber);
  const file = typeof body.sourceFile === "string" ? body.sourceFile : "";
  return { message, blocked: "", file, line: Number.isSafeInteger(line) ? line : 0 };
}

/** The outline of a report, which happened `age` before it arrived. */
export function describePolicyReport({ age, ...reported }: PolicyReport, arrival: Arrival): ErrorOutline {
  const known = { ...reported, file: withoutQuery(reported.file), stack: "", caught: false };
  return { ...reportEntry("csp", known, arrival), at: Math.round(arrival.at - age) };
}
