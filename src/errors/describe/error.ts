import { parse } from "node:querystring";
import type { FastifyRequest } from "fastify";
import { errorClass, errorStatus } from "../../web/http-error.ts";
import type { ContextLevel, ErrorContext, ErrorOutline, JsonObject, NewErrorEntry } from "../entry.ts";
import { fitContext } from "./limits.ts";
import { MAX_LENGTHS, readField, redactedText, scrubValue, scrubFields, scrubLine } from "./redact.ts";
import { readTrace, type StackTrace } from "./trace.ts";

const MAX_CAUSES = 5;

export type ThrownValue = { error: unknown; at: number; status: number | undefined; snapshot: RequestSnapshot | undefined };

export function describeError({ error, at, status = errorStatus(error), snapshot }: ThrownValue): ErrorOutline {
  const text = messageText(error);
  const message = scrubLine(text, MAX_LENGTHS.message);
  const { lines: trace, file, line, cut } = errorTrace(error);
  const object = { status, message, code: errorCode(error), file, line };
  const isCut = cut || text.length > MAX_LENGTHS.message;
  const detail = { object, trace, ...(isCut && { cut: "size" as const }) };
  const name = scrubLine(errorClass(error), MAX_LENGTHS.class);
  const outline = redactSessionIds({ at, class: name, message, source: "php" as const, caught: false, status, detail }, snapshot);
  return {
    ...outline,
    context: (level) =>
      describeContext({ snapshot, at, extra: () => ({ cause: listCauses(error), properties: extraProperties(error) }) }, level),
  };
}

/** Returns an entry for an error that could not be described. Reads nothing from the error, because that could throw again. */
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
  const context = level === "full" ? fullContext({ snapshot, at, extra }) : pathContext(snapshot, at);
  return redactSessionIds(context, snapshot);
}

function fullContext({ snapshot, at, extra }: ContextSource): ErrorContext {
  const { query, get } = snapshot ? requestQuery(snapshot) : { query: "", get: [] };
  const server = snapshot ? serverVariables(snapshot, query, at) : {};
  const session = snapshot?.request.session?.data;
  const userAgent = snapshot?.request.raw.headers["user-agent"];
  const context = fitContext((budget) => ({
    server: scrubValue(server, budget) as JsonObject,
    get: scrubFields(get, budget),
    session: session ? scrubValue({ ...session }, budget) : null,
    agent: scrubValue({ userAgent }, budget) as JsonObject,
  }));
  const extraFields = extra();
  const details = fitContext((budget) => scrubValue(extraFields, budget) as JsonObject);
  const { agent, ...sections } = context.value;
  const isCut = context.cut || details.cut;
  return { ...sections, extra: { ...requestIdField(snapshot), ...agent, ...details.value }, ...(isCut && { cut: "size" }) };
}

function pathContext(snapshot: RequestSnapshot | undefined, at: number): ErrorContext {
  const { value } = fitContext((budget) => scrubValue(snapshot ? describePath(snapshot, at) : {}, budget) as JsonObject);
  return { server: value, get: [], session: null, extra: requestIdField(snapshot), cut: "repeat" };
}

/** Returns the request ID, which is not redacted because the service generates it. */
function requestIdField(snapshot: RequestSnapshot | undefined): { requestId?: string } {
  return snapshot ? { requestId: snapshot.request.id } : {};
}

function messageText(error: unknown): string {
  if (error instanceof Error) return String(error.message);
  return typeof error === "string" ? error : (JSON.stringify(scrubValue(error)) ?? "");
}

function errorCode(error: unknown): number {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return Number.isSafeInteger(code) ? (code as number) : 0;
}

function errorTrace(error: unknown): StackTrace {
  const stack = error instanceof Error && typeof error.stack === "string" ? error.stack : "";
  return readTrace(stack, messageText(error));
}

function listCauses(error: unknown): unknown[] | undefined {
  const causes: unknown[] = [];
  for (const pendingCauses = directCauses(error); pendingCauses.length > 0 && causes.length < MAX_CAUSES;) {
    const cause = pendingCauses.shift();
    causes.push({ class: errorClass(cause), message: messageText(cause), trace: errorTrace(cause).lines });
    pendingCauses.unshift(...directCauses(cause));
  }
  return causes.length > 0 ? causes : undefined;
}

function directCauses(error: unknown): unknown[] {
  if (!(error instanceof Error)) return [];
  const aggregatedErrors: unknown[] = error instanceof AggregateError ? error.errors.slice(0, MAX_CAUSES) : [];
  return error.cause === undefined ? aggregatedErrors : [error.cause, ...aggregatedErrors];
}

const PROPERTIES_SHOWN_ELSEWHERE = new Set(["name", "message", "stack", "cause", "statusCode"]);

function extraProperties(error: unknown): Record<string, unknown> | undefined {
  if (!(error instanceof Error)) return undefined;
  const names = Object.keys(error).filter((name) => !PROPERTIES_SHOWN_ELSEWHERE.has(name));
  const properties = names
    .map((name) => [name, readField(error, name)] as const)
    .filter(([, value]) => typeof value !== "function" && value !== undefined)
    .filter(([name, value]) => name !== "code" || typeof value !== "number" || value !== 0);
  return properties.length > 0 ? Object.fromEntries(properties) : undefined;
}

/** A request with the values that are lost when its connection closes. */
export type RequestSnapshot = { request: FastifyRequest; remote: string; unrouted: boolean };

export function snapshotRequest(request: FastifyRequest): RequestSnapshot {
  return { request, remote: request.ip ?? "", unrouted: request.is404 };
}

function describePath({ request }: RequestSnapshot, at: number): JsonObject {
  return { REQUEST_METHOD: request.raw.method ?? "", REQUEST_URI: request.originalUrl, ...timeVariables(at) };
}

function timeVariables(at: number) {
  return { REQUEST_TIME: Math.floor(at / 1000), REQUEST_TIME_FLOAT: at / 1000 };
}

/** Returns the variables of RFC 3875, section 4.1, and others that web servers commonly add. */
function serverVariables(snapshot: RequestSnapshot, query: string, at: number): JsonObject {
  const { request, remote } = snapshot;
  const { raw } = request;
  const [name, port] = splitHost(raw.headers.host ?? "");
  const server: Record<string, string | number> = {
    REQUEST_METHOD: raw.method ?? "",
    REQUEST_URI: request.originalUrl,
    QUERY_STRING: query,
    ...timeVariables(at),
    REMOTE_ADDR: remote,
    SERVER_NAME: name,
    SERVER_PORT: port ?? String(raw.socket?.localPort ?? (request.protocol === "https" ? 443 : 80)),
    SERVER_PROTOCOL: `HTTP/${raw.httpVersion}`,
    REQUEST_SCHEME: request.protocol ?? "http",
  };
  for (const [header, value] of Object.entries(raw.headers)) {
    server[`HTTP_${header.toUpperCase().replaceAll("-", "_")}`] = Array.isArray(value) ? value.join(", ") : (value ?? "");
  }
  if (raw.headers["content-type"] !== undefined) server.CONTENT_TYPE = raw.headers["content-type"];
  if (raw.headers["content-length"] !== undefined) server.CONTENT_LENGTH = raw.headers["content-length"];
  return server;
}

/**
 * Returns the query string and its parameters. If no route matched, they start with `_uri`, the requested path, as the interface
 * specification requires.
 */
function requestQuery({ request, unrouted }: RequestSnapshot): { query: string; get: unknown } {
  const url = request.originalUrl;
  const mark = url.indexOf("?");
  const query = mark === -1 ? "" : url.slice(mark + 1);
  if (!unrouted) return { query, get: parseQuery(query) };
  const path = mark === -1 ? url : url.slice(0, mark);
  if (query === "" && UNESCAPED_PATTERN.test(path)) return { query: `_uri=${path}`, get: { _uri: path } };
  const uri = `_uri=${encodeURIComponent(path.toWellFormed()).replaceAll("%2F", "/")}`;
  const fullQuery = query === "" ? uri : `${uri}&${query}`;
  return { query: fullQuery, get: { ...parse(fullQuery) } };
}

const UNESCAPED_PATTERN = /^[\w/.~-]*$/;

function parseQuery(query: string): unknown {
  const fields = parse(query);
  return Object.keys(fields).length === 0 ? [] : { ...fields };
}

function splitHost(host: string): [name: string, port: string | undefined] {
  const port = /:(\d+)$/.exec(host);
  return port ? [host.slice(0, port.index), port[1]] : [host, undefined];
}

const SESSION_COOKIE_PATTERN = /(?:^|;)\s*(?:__Host-)?sid=([\w-]{43})(?=\s*(?:;|$))/g;

/** Redacts the request's session ID anywhere in an entry, even in fields whose names don't suggest a secret. */
export function redactSessionIds<Part extends object>(part: Part, snapshot: RequestSnapshot | undefined): Part {
  const cookies = snapshot?.request.raw.headers.cookie;
  if (cookies === undefined) return part;
  const ids = Array.from(cookies.matchAll(SESSION_COOKIE_PATTERN), ([, id]) => id!);
  if (ids.length === 0) return part;
  const redactedJson = ids.reduce((text, id) => text.replaceAll(id, redactedText(id.length)), JSON.stringify(part));
  return { ...part, ...(JSON.parse(redactedJson) as Part) };
}
