import type { ErrorEntryRow } from "../db/schema.ts";

/** `php` is the service itself; the interface specification fixes the value. */
export type ErrorSource = ErrorEntryRow["source"];

export const ERROR_SOURCES: readonly ErrorSource[] = ["php", "js", "csp"];

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** An entry without its details. `at` is in UTC milliseconds; `status` is the HTTP status of the response. */
export type ErrorSummary = {
  id: number;
  at: number;
  class: string;
  message: string;
  source: ErrorSource;
  caught: boolean;
  status: number | undefined;
  group: number | undefined;
};

export function caughtLabel(caught: boolean): "Yes" | "No" {
  return caught ? "Yes" : "No";
}

export type ErrorEntry = ErrorSummary & { detail: ErrorDetail };

/** An entry that has no id yet. It is redacted and cut to size. */
export type NewErrorEntry = Omit<ErrorEntry, "id" | "group">;

/** How much of the request context to keep. Errors that repeat too fast keep only the path. */
export type ContextLevel = "full" | "path";

export type ErrorContext = Omit<ErrorDetail, "object" | "trace">;

/** An entry whose context is built on demand, because that is the expensive part. */
export type ErrorOutline = Omit<NewErrorEntry, "detail"> & {
  detail: Pick<ErrorDetail, "object" | "trace" | "cut">;
  context(level: ContextLevel): ErrorContext;
};

export type ErrorDetail = {
  object: ErrorObject;
  /** `#0 file(line): function`, innermost first, ending with `#n {main}`. */
  trace: readonly string[];
  /** CGI variables of the request (RFC 3875). */
  server: JsonObject;
  /** Query parameters; an empty array if there are none. */
  get: Json;
  session: Json;
  extra: JsonObject;
  /** `size`: something was too long. `repeat`: the context was omitted because the group repeated too fast. */
  cut?: "size" | "repeat";
};

/** `line` starts at 1. An unknown location has an empty `file` and line 0. */
export type ErrorObject = { status: number; message: string; code: number; file: string; line: number };
