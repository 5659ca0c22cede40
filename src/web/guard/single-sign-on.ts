import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../clock.ts";
import type { Path } from "../html.ts";
import { seeOther } from "../page.ts";
import { path, withQuery } from "../path.ts";
import { isEqual } from "./known-browsers.ts";
import { safeReturnPath } from "./return-path.ts";
import type { CookieScope } from "./session.ts";
import { SignedCookie } from "./signed-cookie.ts";
import type { User } from "./user.ts";

/** Secrets of a sign-in in progress. They are kept in the browser, so that only this browser can complete the sign-in. */
export type PendingSignIn = { state: string; nonce: string; verifier: string };

/** The callback's query, including the leading `?`, and the client's address. */
export type ProviderCallback = { search: string; address: string };

/** Both methods throw a `SignInRefusal`, whose message is shown to the user. */
export type IdentityProvider = {
  begin(): Promise<PendingSignIn & { url: string }>;
  finish(callback: ProviderCallback, pendingSignIn: PendingSignIn): Promise<User>;
};

/** `reason` is written only to the process log. */
export class SignInRefusal extends Error {
  override readonly name = "SignInRefusal";
  readonly reason: string | undefined;

  constructor(message: string, reason?: string) {
    super(message);
    this.reason = reason;
  }
}

/** Long enough to enter a second factor at the provider. */
const COOKIE_LIFETIME_MS = 600_000;
/** Browsers drop cookies larger than 4 kB, and the cookie contains the path to return to. */
const MAX_RETURN_PATH_LENGTH = 1_500;
const OUT_OF_DATE_TEXT =
  "This sign-in took too long, was started in another browser, or was replaced by a newer one. Your browser may also block cookies. Sign in again.";

type SingleSignOnOptions = CookieScope & { provider: IdentityProvider; secret: () => string; clock: Clock };

/** Sends users to the provider, which sends them back to `/` with a code. */
export class SingleSignOn {
  readonly #provider: IdentityProvider;
  readonly #begun: SignedCookie<PendingSignIn & { back: string }>;
  readonly #failure: SignedCookie<string>;

  constructor({ provider, ...options }: SingleSignOnOptions) {
    this.#provider = provider;
    this.#begun = new SignedCookie({ ...options, name: "single-sign-on", lifetimeMs: COOKIE_LIFETIME_MS });
    this.#failure = new SignedCookie({ ...options, name: "sign-in-failure", lifetimeMs: COOKIE_LIFETIME_MS });
  }

  static link(back: string): Path {
    return withQuery(path`/`, { "sign-in": "sso", back });
  }

  /** Returns whether the request starts or completes a sign-in. */
  isSent(request: FastifyRequest): boolean {
    if (request.method !== "GET" || request.routeOptions.config.signsIn !== true) return false;
    const query = request.query as Record<string, unknown>;
    return query["sign-in"] === "sso" || isCallback(query);
  }

  submit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.header("cache-control", "no-store");
    return isCallback(request.query as Record<string, unknown>) ? this.#finish(request, reply) : this.#begin(request, reply);
  }

  /** Returns the reason why the last sign-in failed, and clears it. */
  takeFailure(reply: FastifyReply): string | undefined {
    const failure = this.#failure.read(reply.request);
    if (failure !== undefined) this.#failure.clear(reply);
    return failure;
  }

  async #begin(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { back } = request.query as Record<string, unknown>;
    const target = typeof back === "string" && back.length <= MAX_RETURN_PATH_LENGTH ? safeReturnPath(back) : "/";
    const pendingSignIn = await this.#provider.begin().catch((error: unknown) => toRefusal(error));
    if (pendingSignIn instanceof SignInRefusal) return this.#refuse(reply, target, pendingSignIn);
    const { url, ...secrets } = pendingSignIn;
    this.#begun.set(reply, { ...secrets, back: target });
    return reply.code(303).header("location", url).send();
  }

  async #finish(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { state } = request.query as { state: string };
    const pendingSignIn = this.#begun.read(request);
    if (pendingSignIn === undefined || !isEqual(pendingSignIn.state, state))
      return this.#refuse(reply, "/", new SignInRefusal(OUT_OF_DATE_TEXT));
    this.#begun.clear(reply);
    const callback = { search: request.url.slice(request.url.indexOf("?")), address: request.ip };
    const user = await this.#provider.finish(callback, pendingSignIn).catch((error: unknown) => toRefusal(error));
    if (user instanceof SignInRefusal) return this.#refuse(reply, pendingSignIn.back, user);
    await reply.signIn(user);
    return seeOther(reply, { text: pendingSignIn.back });
  }

  /** Redirects, so that the code is not kept in the address bar and history. */
  #refuse(reply: FastifyReply, back: string, { message, reason }: SignInRefusal): FastifyReply {
    const { id: reqId, ip, log } = reply.request;
    log.warn({ reqId, ip, reason: reason ?? message }, "single sign-on failed");
    this.#failure.set(reply, message);
    return seeOther(reply, { text: back });
  }
}

function isCallback({ state, code, error }: Record<string, unknown>): boolean {
  return typeof state === "string" && (typeof code === "string" || typeof error === "string");
}

function toRefusal(error: unknown): SignInRefusal {
  if (error instanceof SignInRefusal) return error;
  throw error;
}
