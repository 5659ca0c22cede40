import { z } from "zod";
import { describeContext } from "../../../errors/describe/error.ts";
import { CAPS, scrubLine } from "../../../errors/describe/redact.ts";
import type { SeenRequest } from "../../../errors/describe/request.ts";
import { withoutSessionId } from "../../../errors/describe/session-id.ts";
import { readTrace, toTrace } from "../../../errors/describe/trace.ts";
import type { ErrorOutline } from "../../../errors/entry.ts";

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

/** The outline of a report; user agent and address come from the request that delivered it. */
export function reportEntry(source: ErrorOutline["source"], report: Reported, { seen, at }: Arrival): ErrorOutline {
  const message = scrubLine(report.message, CAPS.message);
  const file = scrubLine(report.file, CAPS.message);
  const read = readTrace(report.stack, report.message);
  const trace = read.lines.length > 1 ? read : toTrace(file === "" ? [] : [{ file, line: report.line, call: "" }]);
  const outline = {
    at,
    class: scrubLine(report.class, CAPS.class),
    message,
    source,
    caught: report.caught,
    status: undefined,
    detail: {
      object: { status: 0, message, code: 0, file: file || trace.file, line: report.line || trace.line },
      trace: trace.lines,
      ...(read.cut && { cut: "size" as const }),
    },
  };
  const more = () => ({ report: { ...report.sent, stack: undefined } });
  return { ...withoutSessionId(outline, seen), context: (kept) => describeContext({ seen, at, more }, kept) };
}
