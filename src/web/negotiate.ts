import type { FastifyRequest } from "fastify";
import { readTyped, type Typed } from "./form.ts";

export type Format = "page" | "json" | "xml";

const FORMATS: Record<string, Format> = {
  "text/html": "page",
  "application/xhtml+xml": "page",
  "application/json": "json",
  "application/problem+json": "json",
  "application/xml": "xml",
  "text/xml": "xml",
};

/** Most clients name none of these: only for the others what they name is weighed. */
const NAMES_ANOTHER = /json|xml/i;

/** What the client asked for: `format` in the query, else the type it likes best in `Accept` (RFC 9110, 12.5.1), else a page. */
export function preferredFormat(request: FastifyRequest): Format {
  if (namedFormat(request) === "json") return "json";
  const { accept = "" } = request.headers;
  if (!NAMES_ANOTHER.test(accept)) return "page";
  const [best] = acceptedTypes(accept).toSorted((a, b) => b.quality - a.quality);
  return best?.format ?? "page";
}

/** The query of a request; its `format` is in lower case, and without one it gets `json` when the client prefers that. */
export function queryOf(request: FastifyRequest): Typed {
  const query = readTyped(request.query);
  const format = namedFormat(request) ?? (likesJson(request) ? "json" : undefined);
  return format === undefined ? query : { ...query, format };
}

/** The `format` that the query names, the last of several, in upper or lower case. */
function namedFormat(request: FastifyRequest): string | undefined {
  const { format } = request.query as Record<string, unknown>;
  const named: unknown = Array.isArray(format) ? format.at(-1) : format;
  return typeof named === "string" ? named.trim().toLowerCase() : undefined;
}

/** What a list or a grid is answered as. */
export type ListFormat = "page" | "csv" | "json";

export function formatOf({ format }: Typed): ListFormat {
  return format === "csv" || format === "json" ? format : "page";
}

/** Whether the answer is JSON where there is a choice. */
export function wantsJson(request: FastifyRequest): boolean {
  const named = namedFormat(request);
  return named === undefined ? likesJson(request) : named === "json";
}

/** Browsers name XML, but not JSON: every page that they ask for would take the time to weigh what they name. */
function likesJson(request: FastifyRequest): boolean {
  return /json/i.test(request.headers.accept ?? "") && preferredFormat(request) === "json";
}

function acceptedTypes(accept: string): { format: Format; quality: number }[] {
  return accept.split(",").flatMap((part) => {
    const [type = "", ...parameters] = part.split(";").map((one) => one.trim().toLowerCase());
    const quality = Number(parameters.find((one) => one.startsWith("q="))?.slice(2) ?? 1);
    const format = FORMATS[type];
    return format && quality > 0 ? [{ format, quality }] : [];
  });
}
