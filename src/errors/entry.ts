import type { ErrorEntryRow } from "../db/schema.ts";

/** Where an error came from. */
export type ErrorSource = ErrorEntryRow["source"];

/** In the order in which the filter offers them. */
export const ERROR_SOURCES: readonly ErrorSource[] = ["php", "js", "csp"];

/** What JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** One row of the error log; `at` is UTC milliseconds, `status` the HTTP status answered, where there was one. */
export type ErrorSummary = {
  id: number;
  at: number;
  class: string;
  message: string;
  source: ErrorSource;
  caught: boolean;
  status: number | undefined;
  /** The number of the group that it is in; undefined while none was looked for. */
  group: number | undefined;
};

/** The word of the column Caught. */
export function caughtWord(caught: boolean): "Yes" | "No" {
  return caught ? "Yes" : "No";
}

/** Everything known of one error. */
export type ErrorEntry = ErrorSummary & { detail: ErrorDetail };

/** An error about to be stored: scrubbed of secrets and cut to size. */
export type NewErrorEntry = Omit<ErrorEntry, "id" | "group">;

/** How much of an error's context is kept: all of it, or the path alone of an error that repeats too fast. */
export type KeptContext = "whole" | "path";

export type ErrorContext = Omit<ErrorDetail, "object" | "trace">;

/** An error without its context, which costs most to describe. */
export type ErrorOutline = Omit<NewErrorEntry, "detail"> & {
  detail: Pick<ErrorDetail, "object" | "trace" | "cut">;
  context(kept: KeptContext): ErrorContext;
};

/** The sections of the detail page. Secrets were redacted before this was made. */
export type ErrorDetail = {
  object: ErrorObject;
  /** `#0 file(line): function`, innermost first, ending with `#n {main}`. */
  trace: readonly string[];
  /** The request in the names of CGI, RFC 3875. */
  server: JsonObject;
  /** Query parameters; an empty array when there are none. */
  get: Json;
  /** Null without a session. */
  session: Json;
  /** What else is known: cause chain, request id, user agent, the report of a browser. */
  extra: JsonObject;
  /** Part of the entry did not fit, or all of its context was left out because its group repeated too fast. Absent if it is whole. */
  cut?: "size" | "repeat";
};

/** `line` counts from 1; 0 and an empty `file` where they are not known. */
export type ErrorObject = { status: number; message: string; code: number; file: string; line: number };
