import { z } from "zod";
import { type Reported, reportsOf } from "./report-entry.ts";

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

/** An error that a script of a browser reported. */
const browserReport = sentReport.transform((sent, context): Reported => {
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

/** What `/_errors/log` takes. */
export const browserReports = reportsOf(browserReport);
