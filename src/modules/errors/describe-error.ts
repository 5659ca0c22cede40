import { statusOf } from "../../web/http-error.ts";
import { describeRequest, type DescribedRequest, type SeenRequest } from "./describe-request.ts";
import type { ErrorDetail, Json, NewErrorEntry } from "./entry.ts";
import { CAPS, type Room, scrub, scrubLine } from "./redact.ts";
import { readTrace, type Trace } from "./trace.ts";

const CAUSES = 5;

/** A thrown value with what is known of where it was met; `status` is what the client was answered. */
export type Thrown = { error: unknown; at: number; status: number | undefined; seen: SeenRequest | undefined };

/** The entry of an uncaught error of the server. */
export function describeThrown({ error, at, status = statusOf(error), seen }: Thrown): NewErrorEntry {
  const message = scrubLine(messageOf(error), CAPS.message);
  const { lines: trace, file, line } = traceOf(error);
  const request = seen && describeRequest(seen, at);
  const object = { status, message, code: codeOf(error), file, line };
  const detail = { object, trace, ...describeContext(request, extraOf(error)) };
  return { at, class: scrubLine(classOf(error), CAPS.class), message, source: "php", caught: false, status, detail };
}

/** SERVER, GET, SESSION and the extra panels, scrubbed; together they keep within the cap of a context. */
export function describeContext(
  request: DescribedRequest | undefined,
  more: Readonly<Record<string, unknown>>,
): Omit<ErrorDetail, "object" | "trace"> {
  const room: Room = { left: CAPS.context };
  return {
    server: scrub(request?.server ?? {}, room) as Record<string, Json>,
    get: scrub(request?.get ?? [], room),
    session: request?.session ? scrub(request.session, room) : null,
    extra: { ...idOf(request), ...(scrub({ userAgent: request?.userAgent, ...more }, room) as Record<string, Json>) },
  };
}

/** We made it ourselves: there is nothing to scrub. */
function idOf(request: DescribedRequest | undefined): { requestId?: string } {
  return request ? { requestId: request.requestId } : {};
}

/** The name of the error kind. The client of PostgreSQL names all of its errors `error`. */
function classOf(error: unknown): string {
  if (!(error instanceof Error)) return "Error";
  const { name } = error;
  if (typeof name === "string" && name !== "" && name.toLowerCase() !== "error") return name;
  return error.constructor?.name || "Error";
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return String(error.message);
  return typeof error === "string" ? error : (JSON.stringify(scrub(error)) ?? "");
}

/** Codes of Node and of the databases are words: they are among the properties. */
function codeOf(error: unknown): number {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return Number.isSafeInteger(code) ? (code as number) : 0;
}

function traceOf(error: unknown): Trace {
  const stack = error instanceof Error && typeof error.stack === "string" ? error.stack : "";
  return readTrace(stack, messageOf(error));
}

function extraOf(error: unknown): Record<string, unknown> {
  return { cause: error instanceof Error ? causesOf(error) : undefined, properties: propertiesOf(error) };
}

function causesOf(error: Error): unknown[] | undefined {
  const causes: unknown[] = [];
  for (let cause = error.cause; cause !== undefined && causes.length < CAUSES; cause = cause instanceof Error ? cause.cause : undefined) {
    causes.push({ class: classOf(cause), message: messageOf(cause), trace: traceOf(cause).lines });
  }
  return causes.length > 0 ? causes : undefined;
}

const SHOWN_ELSEWHERE = new Set(["name", "message", "stack", "cause", "statusCode"]);

/** What the thrower hung on its error, such as the code of a system call. */
function propertiesOf(error: unknown): Record<string, unknown> | undefined {
  if (!(error instanceof Error)) return undefined;
  const own = Object.entries(error).filter(
    ([name, value]) => !SHOWN_ELSEWHERE.has(name) && typeof value !== "function" && value !== undefined,
  );
  const telling = own.filter(([name, value]) => name !== "code" || typeof value !== "number" || value !== 0);
  return telling.length > 0 ? Object.fromEntries(telling) : undefined;
}
