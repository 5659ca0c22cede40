import { createHmac } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../clock.ts";
import { isEqual } from "./known-browsers.ts";
import { type CookieScope, cookieSettings } from "./session.ts";

type SignedCookieOptions = CookieScope & { name: string; lifetimeMs: number; secret: () => string; clock: Clock };

/** Keeps a value in the browser for a few minutes. The browser can read the value but not change it. */
export class SignedCookie<Value> {
  readonly #options: SignedCookieOptions;
  readonly #cookie: { name: string; path: string };

  constructor(options: SignedCookieOptions) {
    this.#options = options;
    this.#cookie = cookieSettings(options.name, options);
  }

  set(reply: FastifyReply, value: Value): void {
    const { clock, lifetimeMs } = this.#options;
    const text = Buffer.from(JSON.stringify({ value, until: clock.now() + lifetimeMs })).toString("base64url");
    reply.setCookie(this.#cookie.name, `${text}.${this.#sign(text)}`, { ...this.#flags(), maxAge: lifetimeMs / 1000 });
  }

  /** Returns undefined if the cookie is missing, expired or not signed by us. */
  read({ cookies }: FastifyRequest): Value | undefined {
    const [text = "", signature = ""] = cookies[this.#cookie.name]?.split(".") ?? [];
    if (!isEqual(this.#sign(text), signature)) return undefined;
    const { value, until } = JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as { value: Value; until: number };
    return until > this.#options.clock.now() ? value : undefined;
  }

  clear(reply: FastifyReply): void {
    reply.clearCookie(this.#cookie.name, this.#flags());
  }

  #sign(text: string): string {
    return createHmac("sha256", this.#options.secret()).update(`${this.#options.name}\0${text}`).digest("base64url");
  }

  #flags() {
    return { httpOnly: true, sameSite: "lax", secure: this.#options.https, path: this.#cookie.path } as const;
  }
}
