import { createHmac, randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { actionOf, isActing, mayAct } from "../any-route.ts";
import { HttpException } from "../http-error.ts";
import type { FormCookie } from "./form-cookie.ts";
import { isEqual } from "./known-browsers.ts";
import type { IsOwnOrigin } from "./origin.ts";

declare module "fastify" {
  interface FastifyReply {
    /** Returns the form token for routes with the token rule `visitor`. */
    visitorToken(): string;
  }
}

/**
 * Creates a form's token, masked differently each time because pages are compressed. Returns an empty string for users who may not send the
 * form. Also returns an empty string if the session can't be stored, because the rest of the page is still useful.
 */
export async function formToken(reply: FastifyReply): Promise<string> {
  const { request } = reply;
  if (!mayAct(request)) return "";
  const logError = (error: unknown) => request.log.error({ reqId: request.id, err: error }, "no session was created for a form");
  const session = await reply.openSession().catch(logError);
  if (!session) return "";
  const mask = randomBytes(16).toString("base64url");
  return `${mask}.${signMask(session.data.csrf, mask)}`;
}

const INVALID_TOKEN_TEXT = "Invalid CSRF token";

export class InvalidTokenException extends HttpException {
  readonly sender: "own" | "another site";

  constructor(sender: "own" | "another site") {
    super(403, INVALID_TOKEN_TEXT);
    this.sender = sender;
  }
}

export function addCsrfCheck(app: FastifyInstance, isOwn: IsOwnOrigin, visitors: FormCookie): void {
  app.decorateReply("visitorToken", function visitorToken(this: FastifyReply) {
    return visitors.token(this);
  });
  app.addHook("preHandler", (request, _reply, done) => {
    if (!isActing(request) || request.viaBearer) return done();
    if (request.routeOptions.config.token !== "visitor") requireToken(request, isOwn);
    else if (isCrossSite(request, isOwn) || !visitors.hasToken(request)) throw new HttpException(403, INVALID_TOKEN_TEXT);
    done();
  });
}

export function requireToken(request: FastifyRequest, isOwn: IsOwnOrigin): void {
  if (isCrossSite(request, isOwn)) throw new InvalidTokenException("another site");
  if (!hasValidToken(request)) throw new InvalidTokenException("own");
}

const SIGN_OUT_TOKEN_NAME = "sign-out";

/** Returns the sign-out button's token, which is the same on every page so that pages keep their ETag. Valid only for signing out. */
export function signOutToken({ session }: FastifyRequest): string | undefined {
  return session?.data.signedIn && signText(session.data.csrf, SIGN_OUT_TOKEN_NAME);
}

/** Checks Sec-Fetch-Site, or Origin in older browsers. API clients send neither. */
export function isCrossSite(request: FastifyRequest, isOwn: IsOwnOrigin): boolean {
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
  if (actionOf(request) === SIGN_OUT_TOKEN_NAME) return isEqual(signText(request.session.data.csrf, SIGN_OUT_TOKEN_NAME), token);
  const [mask = "", signature = ""] = token.split(".");
  return isEqual(signMask(request.session.data.csrf, mask), signature);
}

/** Signs a token's mask. Without a mask, this would return the sign-out token, which must not be valid for other forms. */
function signMask(secret: string, mask: string): string {
  return signText(secret, `mask\0${mask}`);
}

function signText(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("base64url");
}
