import { classOf, statusOf } from "../../web/http-error.ts";
import type { ContextLevel, ErrorContext, ErrorOutline, JsonObject, NewErrorEntry } from "../entry.ts";
import { fitContext } from "./limits.ts";
import { CAPS, readField, scrub, scrubFields, scrubLine } from "./redact.ts";
import { describePath, describeRequest, type DescribedRequest, redactSessionIds, type RequestSnapshot } from "./request.ts";
import { readTrace, type Trace } from "./trace.ts";

const MAX_CAUSES = 5;

export type Thrown = { error: unknown; at: number; status: number | undefined; snapshot: RequestSnapshot | undefined };

export function describeError({ error, at, status = statusOf(error), snapshot }: Thrown): ErrorOutline {
  const text = messageText(error);
  const message = scrubLine(text, CAPS.message);
  const { lines: trace, file, line, cut } = traceOf(error);
  const object = { status, message, code: codeOf(error), file, line };
  const isCut = cut || text.length > CAPS.message;
  const detail = { object, trace, ...(isCut && { cut: "size" as const }) };
  const name = scrubLine(classOf(error), CAPS.class);
  const outline = redactSessionIds({ at, class: name, message, source: "php" as const, caught: false, status, detail }, snapshot);
  return { ...outline, context: (level) => describeContext({ snapshot, at, extra: () => extraOf(error) }, level) };
}

/** The entry for an error whose description failed. Inspects nothing that could throw again. */
export function fallbackEntry(reason: unknown, at: number): NewErrorEntry {
  const message = `An error could not be described: ${reason instanceof Error ? reason.name : typeof reason}`;
  return {
    at,
    class: "Error",
    message,
    source: "php",
    caught: false,
    status: 500,
    detail: {
      object: { status: 500, message, code: 0, file: "", line: 0 },
      trace: ["#0 {main}"],
      server: {},
      get: [],
      session: null,
      extra: {},
    },
  };
}

type ContextSource = { snapshot: RequestSnapshot | undefined; at: number; extra(): Readonly<Record<string, unknown>> };

export function describeContext({ snapshot, at, extra }: ContextSource, level: ContextLevel): ErrorContext {
  const context = level === "full" ? fullContext(snapshot && describeRequest(snapshot, at), extra()) : pathContext(snapshot, at);
  return redactSessionIds(context, snapshot);
}

function fullContext(request: DescribedRequest | undefined, details: Readonly<Record<string, unknown>>): ErrorContext {
  const context = fitContext((room) => ({
    server: scrub(request?.server ?? {}, room) as JsonObject,
    get: scrubFields(request?.get ?? [], room),
    session: request?.session ? scrub(request.session, room) : null,
    agent: scrub({ userAgent: request?.userAgent }, room) as JsonObject,
  }));
  const extra = fitContext((room) => scrub(details, room) as JsonObject);
  const { agent, ...sections } = context.made;
  const isCut = context.cut || extra.cut;
  return { ...sections, extra: { ...requestIdOf(request?.requestId), ...agent, ...extra.made }, ...(isCut && { cut: "size" }) };
}

function pathContext(snapshot: RequestSnapshot | undefined, at: number): ErrorContext {
  const { made } = fitContext((room) => scrub(snapshot ? describePath(snapshot, at) : {}, room) as JsonObject);
  return { server: made, get: [], session: null, extra: requestIdOf(snapshot?.request.id), cut: "repeat" };
}

/** Not redacted: the service generates request IDs itself. */
function requestIdOf(requestId: string | undefined): { requestId?: string } {
  return requestId === undefined ? {} : { requestId };
}

function messageText(error: unknown): string {
  if (error instanceof Error) return String(error.message);
  return typeof error === "string" ? error : (JSON.stringify(scrub(error)) ?? "");
}

/** Only numeric codes. Node and the databases use strings, which are listed with the properties. */
function codeOf(error: unknown): number {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return Number.isSafeInteger(code) ? (code as number) : 0;
}

function traceOf(error: unknown): Trace {
  const stack = error instanceof Error && typeof error.stack === "string" ? error.stack : "";
  return readTrace(stack, messageText(error));
}

function extraOf(error: unknown): Record<string, unknown> {
  return { cause: causesOf(error), properties: propertiesOf(error) };
}

/** The cause chain, depth first. An AggregateError contributes each of its errors. */
function causesOf(error: unknown): unknown[] | undefined {
  const causes: unknown[] = [];
  for (const pending = directCauses(error); pending.length > 0 && causes.length < MAX_CAUSES;) {
    const cause = pending.shift();
    causes.push({ class: classOf(cause), message: messageText(cause), trace: traceOf(cause).lines });
    pending.unshift(...directCauses(cause));
  }
  return causes.length > 0 ? causes : undefined;
}

function directCauses(error: unknown): unknown[] {
  if (!(error instanceof Error)) return [];
  const aggregated: unknown[] = error instanceof AggregateError ? error.errors.slice(0, MAX_CAUSES) : [];
  return error.cause === undefined ? aggregated : [error.cause, ...aggregated];
}

const SHOWN_ELSEWHERE = new Set(["name", "message", "stack", "cause", "statusCode"]);

function propertiesOf(error: unknown): Record<string, unknown> | undefined {
  if (!(error instanceof Error)) return undefined;
  const names = Object.keys(error).filter((name) => !SHOWN_ELSEWHERE.has(name));
  const properties = names
    .map((name) => [name, readField(error, name)] as const)
    .filter(([, value]) => typeof value !== "function" && value !== undefined)
    .filter(([name, value]) => name !== "code" || typeof value !== "number" || value !== 0);
  return properties.length > 0 ? Object.fromEntries(properties) : undefined;
}
