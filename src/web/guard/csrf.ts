import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isActing } from "../any-route.ts";
import { HttpException } from "../http-error.ts";
import type { IsOwnOrigin } from "./origin.ts";

/**
 * The token for a form on the page that is being answered; opens a session when there is none. A new mask each time. Empty for viewers, who
 * send no forms, and when no session can be stored: what else is on the page can be read.
 */
export async function formToken(reply: FastifyReply): Promise<string> {
  const { request } = reply;
  if (request.role === "viewer") return "";
  const tell = (error: unknown) => request.log.error({ reqId: request.id, err: error }, "no session was made for a form");
  const session = await reply.openSession().catch(tell);
  if (!session) return "";
  const mask = randomBytes(16).toString("base64url");
  return `${mask}.${sign(session.data.csrf, mask)}`;
}

/** A posted form whose token is missing or wrong, or that another site sent. */
export class InvalidTokenException extends HttpException {
  /** Whether a page of this service sent the form, as far as can be told. */
  readonly sender: "own" | "another site";

  constructor(sender: "own" | "another site") {
    super(403, "Invalid CSRF token");
    this.sender = sender;
  }
}

/** Refuses form posts without a valid token, after their body was read. Routes say what they need in `config.token`. */
export function addCsrfCheck(app: FastifyInstance, isOwn: IsOwnOrigin): void {
  app.addHook("preHandler", (request, _reply, done) => {
    if (!isActing(request) || request.viaBearer) return done();
    if (isCrossSite(request, isOwn)) return done(new InvalidTokenException("another site"));
    done(hasValidToken(request) ? undefined : new InvalidTokenException("own"));
  });
}

/** As browsers tell it: Sec-Fetch-Site, or Origin where that is missing. Neither is sent by programs. */
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
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function sign(secret: string, mask: string): string {
  return createHmac("sha256", secret).update(mask).digest("base64url");
}

function fieldOf(request: FastifyRequest, name: string): string | undefined {
  const body = request.body as Record<string, unknown> | undefined | null;
  const value = typeof body === "object" ? body?.[name] : undefined;
  return typeof value === "string" ? value : undefined;
}
