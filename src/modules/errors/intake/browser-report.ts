import { z } from "zod";
import { describeContext } from "../describe/error.ts";
import { CAPS, scrubLine } from "../describe/redact.ts";
import { describeRequest, type SeenRequest } from "../describe/request.ts";
import { readTrace, toTrace } from "../describe/trace.ts";
import type { NewErrorEntry } from "../entry.ts";

/** An error that a script of a browser reported. Every text is what a stranger sent. */
export type BrowserReport = {
  class: string;
  message: string;
  stack: string;
  file: string;
  line: number;
  caught: boolean;
  /** The report as sent. */
  sent: Readonly<Record<string, unknown>>;
};

const text = z.string().nullish();
const count = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullish().catch(undefined);
const thrown = z.looseObject({ name: text, message: text, stack: text });

/** The names that other reporters give to the same fields are taken, too. */
const sentReport = z.looseObject({
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
  error: z.union([thrown, z.string()]).nullish(),
});

const browserReport = sentReport.transform((sent, context): BrowserReport => {
  const error = typeof sent.error === "object" && sent.error !== null ? sent.error : { message: sent.error };
  const message = sent.message || error.message;
  if (!message?.trim()) {
    context.addIssue({ code: "custom", path: ["message"], message: "is required" });
    return z.NEVER;
  }
  return {
    class: [sent.class, sent.name, error.name, sent.type].find((name) => name?.trim()) ?? "Error",
    message,
    stack: sent.stack || error.stack || "",
    file: sent.file || sent.filename || sent.source || "",
    line: sent.line ?? sent.lineno ?? sent.lineNo ?? 0,
    caught: sent.caught ?? sent.handled ?? false,
    sent,
  };
});

/** What `/_errors/log` takes: a report, or a list of reports. */
export const browserReports = z.union([z.array(z.unknown()), z.unknown().transform((one) => [one])]).pipe(z.array(browserReport));

/** The entry of a report; user agent and address are those of the request that brought it. */
export function describeBrowserReport(report: BrowserReport, { seen, at }: { seen: SeenRequest; at: number }): NewErrorEntry {
  const message = scrubLine(report.message, CAPS.message);
  const file = scrubLine(report.file, CAPS.message);
  const place = toTrace(file === "" ? [] : [{ file, line: report.line, call: "" }]);
  const read = readTrace(report.stack, report.message);
  const trace = read.lines.length > 1 ? read : place;
  return {
    at,
    class: scrubLine(report.class, CAPS.class),
    message,
    source: "js",
    caught: report.caught,
    status: undefined,
    detail: {
      object: { status: 0, message, code: 0, file: file || trace.file, line: report.line || trace.line },
      trace: trace.lines,
      ...describeContext(describeRequest(seen, at), { report: { ...report.sent, stack: undefined } }),
    },
  };
}
