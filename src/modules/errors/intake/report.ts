import { z } from "zod";
import { describeContext } from "../../../errors/describe/error.ts";
import { CAPS, scrubLine } from "../../../errors/describe/redact.ts";
import { redactSessionIds, type RequestSnapshot } from "../../../errors/describe/request.ts";
import { readTrace, toTrace } from "../../../errors/describe/trace.ts";
import type { ErrorOutline } from "../../../errors/entry.ts";

/** A report by a browser. Nothing in it is trusted. `stack` and `file` are empty and `line` is 0 if unknown. */
export type Report = {
  class: string;
  message: string;
  stack: string;
  file: string;
  line: number;
  caught: boolean;
  raw: Readonly<Record<string, unknown>>;
};

export type Delivery = { snapshot: RequestSnapshot; at: number };

export function oneOrMany<R>(report: z.ZodType<R>) {
  return z.union([z.array(z.unknown()), z.unknown().transform((single) => [single])]).pipe(z.array(report));
}

/** Describes a report. User agent and address are taken from the request, never from the report. */
export function describeReport(source: ErrorOutline["source"], report: Report, { snapshot, at }: Delivery): ErrorOutline {
  const message = scrubLine(report.message, CAPS.message);
  const file = scrubLine(report.file, CAPS.message);
  const stack = readTrace(report.stack, report.message);
  const trace = stack.lines.length > 1 ? stack : toTrace(file === "" ? [] : [{ file, line: report.line, call: "" }]);
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
      ...(stack.cut && { cut: "size" as const }),
    },
  };
  const extra = () => ({ report: { ...report.raw, stack: undefined } });
  return { ...redactSessionIds(outline, snapshot), context: (level) => describeContext({ snapshot, at, extra }, level) };
}

const text = z.string().nullish();
const count = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullish().catch(undefined);
const thrown = z.looseObject({ name: text, message: text, stack: text });

/** Accepts the field names of common error reporters too. */
const rawScriptReport = z.looseObject({
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

const scriptReport = rawScriptReport.transform((raw, context): Report => {
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

export const scriptReports = oneOrMany(scriptReport);
