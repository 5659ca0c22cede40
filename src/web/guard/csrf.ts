import { createHmac, randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isActing } from "../any-route.ts";
import { HttpException } from "../http-error.ts";
import { isEqual } from "./known-browsers.ts";
import type { IsOwnOrigin } from "./origin.ts";

/**
 * Returns the token for a form, masked differently each time because pages are compressed. Returns an empty text for viewers, who send no
 * forms, and if no session can be stored, because the rest of the page is still useful.
 */
export async function formToken(reply: FastifyReply): Promise<string> {
  const { request } = reply;
  if (request.role === "viewer") return "";
  const logError = (error: unknown) => request.log.error({ reqId: request.id, err: error }, "no session was created for a form");
  const session = await reply.openSession().catch(logError);
  if (!session) return "";
  const mask = randomBytes(16).toString("base64url");
  return `${mask}.${sign(session.data.csrf, mask)}`;
}

export class InvalidTokenException extends HttpException {
  readonly sender: "own" | "another site";

  constructor(sender: "own" | "another site") {
    super(403, "Invalid CSRF token");
    this.sender = sender;
  }
}

export function addCsrfCheck(app: FastifyInstance, isOwn: IsOwnOrigin): void {
  app.addHook("preHandler", (request, _reply, done) => {
    if (!isActing(request) || request.viaBearer) return done();
    if (isCrossSite(request, isOwn)) return done(new InvalidTokenException("another site"));
    done(hasValidToken(request) ? undefined : new InvalidTokenException("own"));
  });
}

/** Checks Sec-Fetch-Site, or Origin in older browsers. Programs send neither. */
function isCrossSite(request: FastifyRequest, isOwn: IsOwnOrigin): boolean {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  const { origin } = request.headers;
  return origin !== undefined && !isOwn(origin, request);
}

function hasValidToken(request: FastifyRequest): boolean {
  const header = request.headers["x-csrf-token"];
  const { _csrf: field } = (request.body ?? {}) as Record<string, unknown>;
  const token = typeof header === "string" ? header : field;
  if (typeof token !== "string" || !request.session) return false;
  const [mask = "", signature = ""] = token.split(".");
  return isEqual(sign(request.session.data.csrf, mask), signature);
}

function sign(secret: string, mask: string): string {
  return createHmac("sha256", secret).update(mask).digest("base64url");
}
