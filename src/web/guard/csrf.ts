import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isActing } from "../any-route.ts";
import { HttpException } from "../http-error.ts";
import type { IsOwnOrigin } from "./origin.ts";

/**
 * Makes the token for a form, and a session if there is none. It is masked differently each time, because pages are compressed. Empty for
 * viewers, who send no forms, and if no session can be stored: the rest of the page is still useful.
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
  /** Which site's page sent the form, as far as the browser says. */
  readonly sender: "own" | "another site";

  constructor(sender: "own" | "another site") {
    super(403, "Invalid CSRF token");
    this.sender = sender;
  }
}

/** Refuses form posts without a valid token, after their body was read. */
export function addCsrfCheck(app: FastifyInstance, isOwn: IsOwnOrigin): void {
  app.addHook("preHandler", (request, _reply, done) => {
    if (!isActing(request) || request.viaBearer) return done();
    if (isCrossSite(request, isOwn)) return done(new InvalidTokenException("another site"));
    done(hasValidToken(request) ? undefined : new InvalidTokenException("own"));
  });
}

/** By Sec-Fetch-Site, or Origin in older browsers. Programs send neither. */
function isCrossSite(request: FastifyRequest, isOwn: IsOwnOrigin): boolean {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  const { origin } = request.headers;
  return origin !== undefined && !isOwn(origin, request);
}

function hasValidToken(request: FastifyRequest): boolean {
  const header = request.headers["x-csrf-token"];
  const token = typeof header === "string" ? header : fieldOf(request, "_csrf");
  if (token === undefined || !request.session) return false;
  const [mask = "", signature = ""] = token.split(".");
  const expected = Buffer.from(sign(request.session.data.csrf, mask));
  const sent = Buffer.from(signature);
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

function sign(secret: string, mask: string): string {
  return createHmac("sha256", secret).update(mask).digest("base64url");
}

function fieldOf(request: FastifyRequest, name: string): string | undefined {
  const body = request.body as Record<string, unknown> | undefined | null;
  const value = typeof body === "object" ? body?.[name] : undefined;
  return typeof value === "string" ? value : undefined;
}
