import { createHmac, randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { actionOf } from "../any-route.ts";
import { readTyped } from "../form.ts";
import { AccessException } from "../http-error.ts";
import { isCrossSite } from "./csrf.ts";
import { isEqual } from "./known-browsers.ts";
import type { IsOwnOrigin } from "./origin.ts";
import { type CookieScope, cookieOf } from "./session.ts";
import type { PasswordSignIn } from "./sign-in.ts";

const NONCE_BYTES = 16;

type SignInFormOptions = { passwords: PasswordSignIn; isOwnOrigin: IsOwnOrigin; cookies: CookieScope & { secret: string } };

/**
 * The form that browsers sign in with. It posts to `/`. Its token belongs to a cookie instead of a session, so that pages for visitors who are
 * not signed in store nothing.
 */
export class SignInForm {
  readonly #options: SignInFormOptions;
  readonly #cookie: { name: string; path: string };

  constructor(options: SignInFormOptions) {
    this.#options = options;
    this.#cookie = cookieOf("sign-in", options.cookies);
  }

  isSent(request: FastifyRequest): boolean {
    return actionOf(request) === "sign-in";
  }

  token(reply: FastifyReply): string {
    const { name, path } = this.#cookie;
    const known = reply.request.cookies[name];
    if (known !== undefined) return this.#sign(known);
    const nonce = randomBytes(NONCE_BYTES).toString("base64url");
    reply.setCookie(name, nonce, { httpOnly: true, sameSite: "lax", secure: this.#options.cookies.https, path });
    return this.#sign(nonce);
  }

  /** Starts a session and returns the page to go on to. Throws an `AccessException` with what to tell the user. */
  async submit(request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const { name = "", back = "", _csrf = "" } = readTyped(request.body);
    const { passwords, isOwnOrigin } = this.#options;
    const nonce = request.cookies[this.#cookie.name];
    if (isCrossSite(request, isOwnOrigin) || nonce === undefined || !isEqual(this.#sign(nonce), _csrf))
      throw new AccessException(401, "This form is out of date, or your browser blocks cookies. Sign in again.");
    const user = await passwords.check({ name, secret: passwordOf(request.body) }, request, reply);
    await reply.signIn(user, user.kind === "shared" ? await passwords.tagOf(user.role) : undefined);
    return pathOf(back);
  }

  #sign(nonce: string): string {
    return createHmac("sha256", this.#options.cookies.secret).update(`sign-in form\0${nonce}`).digest("base64url");
  }
}

/** Unlike other fields, a password may begin or end with spaces. */
function passwordOf(body: unknown): string {
  const { password } = body as Record<string, unknown>;
  return typeof password === "string" ? password : "";
}

const ANY = "http://localhost";

/** Only a path of this service, so that a link cannot lead to another site after signing in. `/.//host` would lead to `//host`. */
function pathOf(target: string): string {
  if (!target.startsWith("/") || !URL.canParse(target, ANY)) return "/";
  const { origin, pathname, search } = new URL(target, ANY);
  return origin === ANY && !pathname.startsWith("//") ? pathname + search : "/";
}
