import { classOf, statusOf } from "../../../web/http-error.ts";
import type { ErrorDetail, JsonObject, NewErrorEntry } from "../entry.ts";
import { fitContext } from "./cut.ts";
import { CAPS, readField, scrub, scrubLine } from "./redact.ts";
import { describeRequest, type DescribedRequest, type SeenRequest } from "./request.ts";
import { withoutSessionId } from "./session-id.ts";
import { readTrace, type Trace } from "./trace.ts";

const CAUSES = 5;

/** A thrown value with what is known of where it was met; `status` is what the client was answered. */
export type Thrown = { error: unknown; at: number; status: number | undefined; seen: SeenRequest | undefined };

/** The entry of an uncaught error of the server. */
export function describeThrown({ error, at, status = statusOf(error), seen }: Thrown): NewErrorEntry {
  const words = wordsOf(error);
  const message = scrubLine(words, CAPS.message);
  const { lines: trace, file, line, cut } = traceOf(error);
  const request = seen && describeRequest(seen, at);
  const object = { status, message, code: codeOf(error), file, line };
  const context = describeContext(request, extraOf(error));
  const isCut = cut || words.length > CAPS.message;
  const detail: ErrorDetail = { object, trace, ...context, ...(isCut && { cut: "size" }) };
  const name = scrubLine(classOf(error), CAPS.class);
  return withoutSessionId({ at, class: name, message, source: "php", caught: false, status, detail }, seen);
}

/** SERVER, GET, SESSION and the extra panels, scrubbed and cut to size: 8 kB for the request, 8 kB for `more`. */
export function describeContext(
  request: DescribedRequest | undefined,
  more: Readonly<Record<string, unknown>>,
): Omit<ErrorDetail, "object" | "trace"> {
  const context = fitContext((room) => ({
    server: scrub(request?.server ?? {}, room) as JsonObject,
    get: scrub(request?.get ?? [], room),
    session: request?.session ? scrub(request.session, room) : null,
    agent: scrub({ userAgent: request?.userAgent }, room) as JsonObject,
  }));
  const extra = fitContext((room) => scrub(more, room) as JsonObject);
  const { agent, ...sections } = context.made;
  const isCut = context.cut || extra.cut;
  return { ...sections, extra: { ...idOf(request), ...agent, ...extra.made }, ...(isCut && { cut: "size" }) };
}

/** We made it ourselves: there is nothing to scrub. */
function idOf(request: DescribedRequest | undefined): { requestId?: string } {
  return request ? { requestId: request.requestId } : {};
}

function wordsOf(error: unknown): string {
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
  return readTrace(stack, wordsOf(error));
}

function extraOf(error: unknown): Record<string, unknown> {
  return { cause: causesOf(error), properties: propertiesOf(error) };
}

/** The chain of causes, each before its own; of an error that stands for several, such as a host that answers at no address, also these. */
function causesOf(error: unknown): unknown[] | undefined {
  const causes: unknown[] = [];
  for (const waiting = reasonsOf(error); waiting.length > 0 && causes.length < CAUSES;) {
    const cause = waiting.shift();
    causes.push({ class: classOf(cause), message: wordsOf(cause), trace: traceOf(cause).lines });
    waiting.unshift(...reasonsOf(cause));
  }
  return causes.length > 0 ? causes : undefined;
}

function reasonsOf(error: unknown): unknown[] {
  if (!(error instanceof Error)) return [];
  const several: unknown[] = error instanceof AggregateError ? error.errors.slice(0, CAUSES) : [];
  return error.cause === undefined ? several : [error.cause, ...several];
}

const SHOWN_ELSEWHERE = new Set(["name", "message", "stack", "cause", "statusCode"]);

/** What the thrower hung on its error, such as the code of a system call. */
function propertiesOf(error: unknown): Record<string, unknown> | undefined {
  if (!(error instanceof Error)) return undefined;
  const names = Object.keys(error).filter((name) => !SHOWN_ELSEWHERE.has(name));
  const own = names
    .map((name) => [name, readField(error, name)] as const)
    .filter(([, value]) => typeof value !== "function" && value !== undefined);
  const telling = own.filter(([name, value]) => name !== "code" || typeof value !== "number" || value !== 0);
  return telling.length > 0 ? Object.fromEntries(telling) : undefined;
}
