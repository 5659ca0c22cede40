import { hash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { onSend } from "./hooks.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The page has no form token, so browsers may store it and revalidate it with its ETag. */
    etag?: boolean;
  }
}

/** Adds an ETag to pages and JSON that clients may store, and sends 304 if the client already has the content (RFC 9110, 13.1.2). */
export function addEtags(app: FastifyInstance): void {
  onSend(app, (request, reply, payload) => {
    const isFullResponse = typeof payload === "string" && payload !== "" && reply.statusCode === 200;
    if (!isFullResponse || reply.getHeader("cache-control") !== "private, no-cache") return payload;
    const bytes = Buffer.from(payload);
    const tag = `W/"${hash("sha1", bytes, "base64url")}"`;
    reply.header("etag", tag);
    if (!matchesTag(request.headers["if-none-match"], tag)) return bytes;
    reply.code(304).removeHeader("content-type");
    return null;
  });
}

function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((one) => stripWeakPrefix(one.trim()) === stripWeakPrefix(tag));
}

function stripWeakPrefix(tag: string): string {
  return tag.replace(/^W\//, "");
}
