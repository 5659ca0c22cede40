import { hash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { onSend } from "./hooks.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The page has no form token, so a browser may store it and revalidate it with its ETag. */
    etag?: boolean;
  }
}

/** Adds an ETag to pages that a browser may store, and answers 304 if it has the page already (RFC 9110, 13.1.2). */
export function addConditionalAnswers(app: FastifyInstance): void {
  onSend(app, (request, reply, payload) => {
    const asked = typeof payload === "string" && payload !== "" && reply.statusCode === 200;
    if (!asked || reply.getHeader("cache-control") !== "private, no-cache") return payload;
    const bytes = Buffer.from(payload);
    const tag = `W/"${hash("sha1", bytes, "base64url")}"`;
    reply.header("etag", tag);
    if (!namesTag(request.headers["if-none-match"], tag)) return bytes;
    reply.code(304).removeHeader("content-type");
    return "";
  });
}

/** Whether `If-None-Match` names the tag, by the weak comparison (RFC 9110, 13.1.2). */
function namesTag(header: string | undefined, tag: string): boolean {
  return header !== undefined && (header.trim() === "*" || header.split(",").some((one) => opaqueTag(one) === opaqueTag(tag)));
}

function opaqueTag(tag: string): string {
  return tag.trim().replace(/^W\//, "");
}
