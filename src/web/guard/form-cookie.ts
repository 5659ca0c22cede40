import { createHmac, randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isEqual } from "./known-browsers.ts";
import { type CookieScope, cookieSettings } from "./session.ts";

const NONCE_BYTES = 16;

/** Creates form tokens for visitors who are not signed in, tied to a cookie instead of a session, so that their pages store nothing. */
export class FormCookie {
  readonly #options: CookieScope & { secret: () => string };
  readonly #cookie: { name: string; path: string };

  constructor(options: CookieScope & { secret: () => string }) {
    this.#options = options;
    this.#cookie = cookieSettings("sign-in", options);
  }

  token(reply: FastifyReply): string {
    const { name, path } = this.#cookie;
    const cookieValue = reply.request.cookies[name];
    if (cookieValue !== undefined) return this.#sign(cookieValue);
    const nonce = randomBytes(NONCE_BYTES).toString("base64url");
    reply.setCookie(name, nonce, { httpOnly: true, sameSite: "lax", secure: this.#options.https, path });
    return this.#sign(nonce);
  }

  hasToken({ cookies, body }: FastifyRequest): boolean {
    const nonce = cookies[this.#cookie.name];
    const { _csrf: token } = (body ?? {}) as Record<string, unknown>;
    return nonce !== undefined && typeof token === "string" && isEqual(this.#sign(nonce), token);
  }

  #sign(nonce: string): string {
    return createHmac("sha256", this.#options.secret()).update(`form cookie\0${nonce}`).digest("base64url");
  }
}
