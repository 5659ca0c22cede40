import { parse } from "node:querystring";
import type { FastifyRequest } from "fastify";
import type { JsonObject } from "../entry.ts";

/** A request whose error is recorded. */
export type SeenRequest = { request: FastifyRequest; remote: string; unrouted: boolean };

/** SERVER, GET and SESSION of the detail page, and who sent the request, not scrubbed yet. */
export type DescribedRequest = { server: JsonObject; get: unknown; session: unknown; requestId: string; userAgent: string | undefined };

/** Keeps what is gone once the connection is closed. */
export function seeRequest(request: FastifyRequest): SeenRequest {
  return { request, remote: request.ip ?? "", unrouted: request.is404 };
}

/** The request in the names of CGI; `at`, in milliseconds, is when it was received. */
export function describeRequest(seen: SeenRequest, at: number): DescribedRequest {
  const { request } = seen;
  const { query, get } = queryOf(seen);
  return {
    server: serverOf(seen, query, at),
    get,
    session: request.session ? { ...request.session.data } : null,
    requestId: request.id,
    userAgent: request.raw.headers["user-agent"],
  };
}

/** The variables of SERVER that are kept of a repeat. */
export function describePath({ request }: SeenRequest, at: number): JsonObject {
  return {
    REQUEST_METHOD: request.raw.method ?? "",
    REQUEST_URI: request.originalUrl,
    REQUEST_TIME: Math.floor(at / 1000),
    REQUEST_TIME_FLOAT: at / 1000,
  };
}

/** The variables of RFC 3875 section 4.1 and the ones that web servers add. */
function serverOf({ request, remote }: SeenRequest, query: string, at: number): JsonObject {
  const { raw } = request;
  const [name, port] = splitHost(raw.headers.host ?? "");
  const server: Record<string, string | number> = {
    REQUEST_METHOD: raw.method ?? "",
    REQUEST_URI: request.originalUrl,
    QUERY_STRING: query,
    REQUEST_TIME: Math.floor(at / 1000),
    REQUEST_TIME_FLOAT: at / 1000,
    REMOTE_ADDR: remote,
    SERVER_NAME: name,
    SERVER_PORT: port ?? String(raw.socket?.localPort ?? (request.protocol === "https" ? 443 : 80)),
    SERVER_PROTOCOL: `HTTP/${raw.httpVersion}`,
    REQUEST_SCHEME: request.protocol ?? "http",
  };
  for (const header in raw.headers) server[cgiName(header)] = textOf(raw.headers[header]);
  if (raw.headers["content-type"] !== undefined) server.CONTENT_TYPE = raw.headers["content-type"];
  if (raw.headers["content-length"] !== undefined) server.CONTENT_LENGTH = raw.headers["content-length"];
  return server;
}

/** The query as the application received it: for an unrouted request with `_uri`, the requested path, in front. */
function queryOf({ request, unrouted }: SeenRequest): { query: string; get: unknown } {
  const url = request.originalUrl;
  const mark = url.indexOf("?");
  const query = mark === -1 ? "" : url.slice(mark + 1);
  if (!unrouted) return { query, get: fieldsOf(query) };
  const path = mark === -1 ? url : url.slice(0, mark);
  if (query === "" && PLAIN.test(path)) return { query: `_uri=${path}`, get: { _uri: path } };
  const uri = `_uri=${encodeURIComponent(path.toWellFormed()).replaceAll("%2F", "/")}`;
  const whole = query === "" ? uri : `${uri}&${query}`;
  return { query: whole, get: { ...parse(whole) } };
}

/** PHP, whose words these are, calls nothing an empty list. */
function fieldsOf(query: string): unknown {
  const fields = parse(query);
  return Object.keys(fields).length === 0 ? [] : { ...fields };
}

/** Characters that stand for themselves in a query. */
const PLAIN = /^[\w/.~-]*$/;

/** The names of headers are few, but a stranger may send any. */
const cgiNames = new Map<string, string>();
const NAMES_KEPT = 500;

function cgiName(header: string): string {
  const known = cgiNames.get(header);
  if (known !== undefined) return known;
  const name = `HTTP_${header.toUpperCase().replaceAll("-", "_")}`;
  if (cgiNames.size < NAMES_KEPT) cgiNames.set(header, name);
  return name;
}

function textOf(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(", ") : (value ?? "");
}

function splitHost(host: string): [name: string, port: string | undefined] {
  const port = /:(\d+)$/.exec(host);
  return port ? [host.slice(0, port.index), port[1]] : [host, undefined];
}
