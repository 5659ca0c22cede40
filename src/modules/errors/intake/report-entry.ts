import { z } from "zod";
import { describeContext } from "../describe/error.ts";
import { CAPS, scrubLine } from "../describe/redact.ts";
import { describeRequest, type SeenRequest } from "../describe/request.ts";
import { withoutSessionId } from "../describe/session-id.ts";
import { readTrace, toTrace } from "../describe/trace.ts";
import type { NewErrorEntry } from "../entry.ts";

/** What a browser reports. Every text is what a stranger sent; `stack` and `file` are empty and `line` is 0 where they are not known. */
export type Reported = {
  class: string;
  message: string;
  stack: string;
  file: string;
  line: number;
  caught: boolean;
  /** The report as sent. */
  sent: Readonly<Record<string, unknown>>;
};

/** What an intake takes: a report, or a list of reports; each as `report` reads it. */
export function reportsOf<Report>(report: z.ZodType<Report>) {
  return z.union([z.array(z.unknown()), z.unknown().transform((one) => [one])]).pipe(z.array(report));
}

/** The request that brought a report, and when. */
export type Arrival = { seen: SeenRequest; at: number };

/** The entry of a report; user agent and address are those of the request that brought it. */
export function reportEntry(source: NewErrorEntry["source"], report: Reported, { seen, at }: Arrival): NewErrorEntry {
  const message = scrubLine(report.message, CAPS.message);
  const file = scrubLine(report.file, CAPS.message);
  const read = readTrace(report.stack, report.message);
  const trace = read.lines.length > 1 ? read : toTrace(file === "" ? [] : [{ file, line: report.line, call: "" }]);
  const entry: NewErrorEntry = {
    at,
    class: scrubLine(report.class, CAPS.class),
    message,
    source,
    caught: report.caught,
    status: undefined,
    detail: {
      object: { status: 0, message, code: 0, file: file || trace.file, line: report.line || trace.line },
      trace: trace.lines,
      ...describeContext(describeRequest(seen, at), { report: { ...report.sent, stack: undefined } }),
      ...(read.cut && { cut: "size" }),
    },
  };
  return withoutSessionId(entry, seen);
}
