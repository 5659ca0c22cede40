import type { FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import { readTyped, type TypedValues } from "./form.ts";

type ResponseFormat = "page" | "json" | "xml";

const FORMAT_BY_TYPE: Record<string, ResponseFormat> = {
  "text/html": "page",
  "application/xhtml+xml": "page",
  "application/json": "json",
  "application/problem+json": "json",
  "application/xml": "xml",
  "text/xml": "xml",
};
const ACCEPTED_TYPES = Object.keys(FORMAT_BY_TYPE);

/** Returns the format for an error: from the query, otherwise from `Accept`, otherwise XML for clients that send XML, otherwise a page. */
export function preferredFormat(request: FastifyRequest): ResponseFormat {
  if (requestedFormat(request) === "json") return "json";
  const { accept = "" } = request.headers;
  if (!/json|xml|html/i.test(accept) && sendsXml(request)) return "xml";
  if (!/json|xml/i.test(accept)) return "page";
  const type = new Negotiator({ headers: { accept: accept.replaceAll(PARAMETER_PATTERN, "") } }).mediaType(ACCEPTED_TYPES);
  return FORMAT_BY_TYPE[type ?? ""] ?? "page";
}

function sendsXml({ headers }: FastifyRequest): boolean {
  return /^(application|text)\/(soap\+)?xml\b/i.test(headers["content-type"] ?? "");
}

/** Media type parameters such as `charset`, which are ignored. */
const PARAMETER_PATTERN = /;\s*(?!q=)[^;,]*/gi;

/** Returns a request's query. `format` is in lower case. If it is missing and the client prefers JSON, it is set to `json`. */
export function readQuery(request: FastifyRequest): TypedValues {
  const query = readTyped(request.query);
  const format = requestedFormat(request) ?? (prefersJson(request) ? "json" : undefined);
  return format === undefined ? query : { ...query, format };
}

function requestedFormat(request: FastifyRequest): string | undefined {
  const { format } = request.query as Record<string, unknown>;
  const last: unknown = Array.isArray(format) ? format.at(-1) : format;
  return typeof last === "string" ? last.trim().toLowerCase() : undefined;
}

export type ListFormat = "page" | "csv" | "json";

export function listFormat({ format }: TypedValues): ListFormat {
  return format === "csv" || format === "json" ? format : "page";
}

export function wantsJson(request: FastifyRequest): boolean {
  const format = requestedFormat(request);
  return format === undefined ? prefersJson(request) : format === "json";
}

/** Looks for JSON in `Accept` first, because most requests come from browsers, which never list it. */
function prefersJson(request: FastifyRequest): boolean {
  return /json/i.test(request.headers.accept ?? "") && preferredFormat(request) === "json";
}
