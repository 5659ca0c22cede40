import { parse } from "node:querystring";
import type { FastifyRequest } from "fastify";
import type { JsonObject } from "../entry.ts";
import { redacted } from "./redact.ts";

/** A request with the values that are lost when its connection closes. */
export type RequestSnapshot = { request: FastifyRequest; remote: string; unrouted: boolean };

export type DescribedRequest = { server: JsonObject; get: unknown; session: unknown; requestId: string; userAgent: string | undefined };

export function snapshotRequest(request: FastifyRequest): RequestSnapshot {
  return { request, remote: request.ip ?? "", unrouted: request.is404 };
}

/** Describes a request received at `at`. Not redacted yet. */
export function describeRequest(snapshot: RequestSnapshot, at: number): DescribedRequest {
  const { request } = snapshot;
  const { query, get } = queryOf(snapshot);
  return {
    server: serverOf(snapshot, query, at),
    get,
    session: request.session ? { ...request.session.data } : null,
    requestId: request.id,
    userAgent: request.raw.headers["user-agent"],
  };
}

export function describePath({ request }: RequestSnapshot, at: number): JsonObject {
  return {
    REQUEST_METHOD: request.raw.method ?? "",
    REQUEST_URI: request.originalUrl,
    REQUEST_TIME: Math.floor(at / 1000),
    REQUEST_TIME_FLOAT: at / 1000,
  };
}

/** The variables of RFC 3875 section 4.1, and common additions by web servers. */
function serverOf({ request, remote }: RequestSnapshot, query: string, at: number): JsonObject {
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
  for (const header in raw.headers) server[cgiName(header)] = headerText(raw.headers[header]);
  if (raw.headers["content-type"] !== undefined) server.CONTENT_TYPE = raw.headers["content-type"];
  if (raw.headers["content-length"] !== undefined) server.CONTENT_LENGTH = raw.headers["content-length"];
  return server;
}

/** For unrouted requests, `_uri` with the requested path is added in front, as the interface specification requires. */
function queryOf({ request, unrouted }: RequestSnapshot): { query: string; get: unknown } {
  const url = request.originalUrl;
  const mark = url.indexOf("?");
  const query = mark === -1 ? "" : url.slice(mark + 1);
  if (!unrouted) return { query, get: fieldsOf(query) };
  const path = mark === -1 ? url : url.slice(0, mark);
  if (query === "" && UNESCAPED.test(path)) return { query: `_uri=${path}`, get: { _uri: path } };
  const uri = `_uri=${encodeURIComponent(path.toWellFormed()).replaceAll("%2F", "/")}`;
  const full = query === "" ? uri : `${uri}&${query}`;
  return { query: full, get: { ...parse(full) } };
}

const UNESCAPED = /^[\w/.~-]*$/;

/** An empty query is an empty array, as in PHP. */
function fieldsOf(query: string): unknown {
  const fields = parse(query);
  return Object.keys(fields).length === 0 ? [] : { ...fields };
}

/** Bounded, because clients can send any header name. */
const cgiNames = new Map<string, string>();
const MAX_CGI_NAMES = 500;

function cgiName(header: string): string {
  const known = cgiNames.get(header);
  if (known !== undefined) return known;
  const name = `HTTP_${header.toUpperCase().replaceAll("-", "_")}`;
  if (cgiNames.size < MAX_CGI_NAMES) cgiNames.set(header, name);
  return name;
}

function headerText(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(", ") : (value ?? "");
}

function splitHost(host: string): [name: string, port: string | undefined] {
  const port = /:(\d+)$/.exec(host);
  return port ? [host.slice(0, port.index), port[1]] : [host, undefined];
}

const SESSION_COOKIES = /(?:^|;)\s*(?:__Host-)?sid=([\w-]{43})(?=\s*(?:;|$))/g;

/** Redacts the request's session ID everywhere in an entry, including places where no field name marks it as a secret. */
export function redactSessionIds<Part extends object>(part: Part, snapshot: RequestSnapshot | undefined): Part {
  const cookies = snapshot?.request.raw.headers.cookie;
  if (cookies === undefined) return part;
  const ids = Array.from(cookies.matchAll(SESSION_COOKIES), ([, id]) => id!);
  if (ids.length === 0) return part;
  const clean = ids.reduce((text, id) => text.replaceAll(id, redacted(id.length)), JSON.stringify(part));
  return { ...part, ...(JSON.parse(clean) as Part) };
}
