import { classOf, statusOf } from "../../web/http-error.ts";
import type { ErrorContext, ErrorOutline, JsonObject, KeptContext } from "../entry.ts";
import { fitContext } from "./cut.ts";
import { CAPS, readField, scrub, scrubFields, scrubLine } from "./redact.ts";
import { describePath, describeRequest, type DescribedRequest, type SeenRequest } from "./request.ts";
import { withoutSessionId } from "./session-id.ts";
import { readTrace, type Trace } from "./trace.ts";

const CAUSES = 5;

/** A thrown value with what is known of where it was met; `status` is what the client was answered. */
export type Thrown = { error: unknown; at: number; status: number | undefined; seen: SeenRequest | undefined };

/** The outline of an uncaught error of the server. */
export function describeThrown({ error, at, status = statusOf(error), seen }: Thrown): ErrorOutline {
  const words = wordsOf(error);
  const message = scrubLine(words, CAPS.message);
  const { lines: trace, file, line, cut } = traceOf(error);
  const object = { status, message, code: codeOf(error), file, line };
  const isCut = cut || words.length > CAPS.message;
  const detail = { object, trace, ...(isCut && { cut: "size" as const }) };
  const name = scrubLine(classOf(error), CAPS.class);
  const outline = withoutSessionId({ at, class: name, message, source: "php" as const, caught: false, status, detail }, seen);
  return { ...outline, context: (kept) => describeContext({ seen, at, more: () => extraOf(error) }, kept) };
}

/** Where the context of an error comes from; `more` is what is known beside the request. */
type ContextSource = { seen: SeenRequest | undefined; at: number; more(): Readonly<Record<string, unknown>> };

/** SERVER, GET, SESSION and the extra panels, scrubbed and cut to size: 8 kB for the request, 8 kB for `more`. */
export function describeContext({ seen, at, more }: ContextSource, kept: KeptContext): ErrorContext {
  const context = kept === "whole" ? wholeContext(seen && describeRequest(seen, at), more()) : pathContext(seen, at);
  return withoutSessionId(context, seen);
}

function wholeContext(request: DescribedRequest | undefined, more: Readonly<Record<string, unknown>>): ErrorContext {
  const context = fitContext((room) => ({
    server: scrub(request?.server ?? {}, room) as JsonObject,
    get: scrubFields(request?.get ?? [], room),
    session: request?.session ? scrub(request.session, room) : null,
    agent: scrub({ userAgent: request?.userAgent }, room) as JsonObject,
  }));
  const extra = fitContext((room) => scrub(more, room) as JsonObject);
  const { agent, ...sections } = context.made;
  const isCut = context.cut || extra.cut;
  return { ...sections, extra: { ...idOf(request?.requestId), ...agent, ...extra.made }, ...(isCut && { cut: "size" }) };
}

function pathContext(seen: SeenRequest | undefined, at: number): ErrorContext {
  const { made } = fitContext((room) => scrub(seen ? describePath(seen, at) : {}, room) as JsonObject);
  return { server: made, get: [], session: null, extra: idOf(seen?.request.id), cut: "repeat" };
}

/** We made it ourselves: there is nothing to scrub. */
function idOf(requestId: string | undefined): { requestId?: string } {
  return requestId === undefined ? {} : { requestId };
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
