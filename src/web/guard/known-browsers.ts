import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../clock.ts";
import { type CookieScope, cookieOf } from "./session.ts";
import { hasRole, isRole, type Role } from "./user.ts";

const DAY_MS = 24 * 3_600_000;
const LIFETIME_MS = 180 * DAY_MS;
const RENEW_AFTER_MS = 30 * DAY_MS;
const ID_BYTES = 16;

export type KnownBrowser = { id: string; role: Role; issuedAt: number };

type KnownBrowsersOptions = CookieScope & {
  clock: Clock;
  secret: string;
  /** The hash of each role's password. It is part of the signature, so a new password invalidates the cookies. */
  passwords: Readonly<Partial<Record<Role, string | undefined>>>;
};

/** Recognizes browsers by a signed cookie. It is not a credential: it only avoids delays that others at the same address cause. */
export class KnownBrowsers {
  readonly #options: KnownBrowsersOptions;
  readonly #cookie: { name: string; path: string };

  constructor(options: KnownBrowsersOptions) {
    this.#options = options;
    this.#cookie = cookieOf("browser-token", options);
  }

  find(request: FastifyRequest): KnownBrowser | undefined {
    const [role, id, issued, signature, ...more] = request.cookies[this.#cookie.name]?.split(".") ?? [];
    if (!isRole(role) || id === undefined || signature === undefined || more.length > 0) return undefined;
    const browser = { role, id, issuedAt: Number(issued) };
    const age = this.#options.clock.now() - browser.issuedAt;
    const isCurrent = age < LIFETIME_MS && age > -LIFETIME_MS;
    return isCurrent && isEqual(this.#sign(browser), signature) ? browser : undefined;
  }

  /** Sets the cookie after a sign-in, unless `browser` has a recent one for the same role or a higher one. */
  remember(reply: FastifyReply, role: Role, browser: KnownBrowser | undefined): void {
    const { clock, https } = this.#options;
    const now = clock.now();
    const allowed = browser && hasRole(browser.role, role) ? browser.role : role;
    if (browser?.role === allowed && Math.abs(now - browser.issuedAt) < RENEW_AFTER_MS) return;
    const known = { role: allowed, id: browser?.id ?? randomBytes(ID_BYTES).toString("base64url"), issuedAt: now };
    const value = `${known.role}.${known.id}.${known.issuedAt}.${this.#sign(known)}`;
    const { name, path } = this.#cookie;
    reply.setCookie(name, value, { httpOnly: true, sameSite: "lax", secure: https, path, maxAge: LIFETIME_MS / 1000 });
  }

  #sign({ role, id, issuedAt }: KnownBrowser): string {
    const { secret, passwords } = this.#options;
    const signed = ["known browser", role, id, issuedAt, passwords[role] ?? ""].join("\0");
    return createHmac("sha256", secret).update(signed).digest("base64url");
  }
}

/** Compares secrets in constant time. */
export function isEqual(expected: string, sent: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(sent)];
  return one.length === other.length && timingSafeEqual(one, other);
}
