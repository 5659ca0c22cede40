import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../clock.ts";
import { type CookieScope, cookieSettings } from "./session.ts";
import { isRole, type Role, type User } from "./user.ts";

const DAY_MS = 24 * 3_600_000;
const COOKIE_LIFETIME_MS = 180 * DAY_MS;
const RENEW_AFTER_MS = 30 * DAY_MS;
const ID_BYTES = 16;

/** `name` and `role` identify the user who signed in. */
export type KnownBrowser = { id: string; name: string; role: Role; issuedAt: number };

type KnownBrowsersOptions = CookieScope & {
  clock: Clock;
  secret(): string;
  /** Hashes of each role's password. They are part of the signature, so that a new password invalidates the cookies. */
  passwords: Readonly<Partial<Record<Role, string | undefined>>>;
};

/** Recognises browsers by a signed cookie. The cookie is not a credential: it only avoids delays caused by others at the same address. */
export class KnownBrowsers {
  readonly #options: KnownBrowsersOptions;
  readonly #cookie: { name: string; path: string };

  constructor(options: KnownBrowsersOptions) {
    this.#options = options;
    this.#cookie = cookieSettings("browser-token", options);
  }

  find(request: FastifyRequest): KnownBrowser | undefined {
    const [role, id, issued, encoded, signature, ...more] = request.cookies[this.#cookie.name]?.split(".") ?? [];
    if (!isRole(role) || id === undefined || encoded === undefined || signature === undefined || more.length > 0) return undefined;
    const browser = { role, id, name: Buffer.from(encoded, "base64url").toString("utf8"), issuedAt: Number(issued) };
    const age = this.#options.clock.now() - browser.issuedAt;
    const isCurrent = age < COOKIE_LIFETIME_MS && age > -COOKIE_LIFETIME_MS;
    return isCurrent && isEqual(this.#sign(browser), signature) ? browser : undefined;
  }

  /** Sets the cookie after a sign-in, unless `browser` already has a recent one for the same user or for an administrator. */
  remember(reply: FastifyReply, user: Pick<User, "name" | "role">, browser: KnownBrowser | undefined): void {
    const { clock, https } = this.#options;
    const now = clock.now();
    const { name, role } = browser?.role === "admin" && user.role !== "admin" ? browser : user;
    const isSame = browser?.name === name && browser.role === role;
    if (isSame && Math.abs(now - browser.issuedAt) < RENEW_AFTER_MS) return;
    const knownBrowser = { role, name, id: browser?.id ?? randomBytes(ID_BYTES).toString("base64url"), issuedAt: now };
    const value = [role, knownBrowser.id, now, Buffer.from(name).toString("base64url"), this.#sign(knownBrowser)].join(".");
    const { path } = this.#cookie;
    reply.setCookie(this.#cookie.name, value, { httpOnly: true, sameSite: "lax", secure: https, path, maxAge: COOKIE_LIFETIME_MS / 1000 });
  }

  #sign({ role, id, name, issuedAt }: KnownBrowser): string {
    const { secret, passwords } = this.#options;
    const signedText = ["known browser", role, id, issuedAt, name, passwords[role] ?? ""].join("\0");
    return createHmac("sha256", secret()).update(signedText).digest("base64url");
  }
}

/** Compares secrets in constant time. */
export function isEqual(expected: string, sent: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(sent)];
  return one.length === other.length && timingSafeEqual(one, other);
}
