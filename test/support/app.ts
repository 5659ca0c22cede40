import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";
import { type AppOptions, buildApp } from "../../src/app.ts";
import { loadCredentials } from "../../src/cli/credential.ts";
import { openErrorLog } from "../../src/cli/error-log.ts";
import { fixedClock } from "../../src/clock.ts";
import { type Config, readConfig } from "../../src/config.ts";
import type { Database } from "../../src/db/database.ts";
import type { ErrorLog } from "../../src/errors/recorder.ts";
import { openFresh } from "./databases.ts";

export const START = Date.UTC(2026, 10, 20, 9);

export type AppOverrides = {
  /** A database that the caller closes. By default, a new SQLite database that is closed with the app. */
  database?: Database;
  settings?: Readonly<Record<string, string>>;
  now?: number;
  logger?: AppOptions["logger"];
};

export type TestApp = AsyncDisposable & {
  app: FastifyInstance;
  database: Database;
  clock: ReturnType<typeof fixedClock>;
  config: Config;
  errors: ErrorLog;
  /** Injects a request as if a program on this machine had sent it. */
  inject(request: InjectOptions | string): Promise<LightMyRequestResponse>;
  visitor(): Visitor;
  /** Listens on a free port on 127.0.0.1 and returns the origin. */
  listen(): Promise<string>;
  close(): Promise<void>;
};

/** Builds the whole service on a real database, as `serve` does, with a fixed clock. */
export async function startApp({ database: existing, settings = {}, now = START, logger = false }: AppOverrides = {}): Promise<TestApp> {
  const fresh = existing ? undefined : await openFresh("SQLite");
  const database = existing ?? fresh!.database;
  const folder = mkdtempSync(join(tmpdir(), "roomrack-app-"));
  const config = readConfig({ NODE_ENV: "test", PORT: "80", DATA_DIR: folder, ...settings });
  const clock = fixedClock(now);
  const errors = openErrorLog(config, database, clock);
  const app = await buildApp({ config, clock, database, errors, credentials: await loadCredentials(config, database, clock), logger });
  await app.ready();
  const close = once(async () => {
    await app.close();
    await errors.close();
    await fresh?.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  const inject = (request: InjectOptions | string) => app.inject(request);
  const listen = () => app.listen({ host: "127.0.0.1", port: 0 });
  return { app, database, clock, config, errors, inject, visitor: () => new Visitor(app), listen, close, [Symbol.asyncDispose]: close };
}

const open = new Set<() => Promise<void>>();

/** Closes the apps of failed tests, which would otherwise keep the process alive. */
after(async () => {
  await Promise.allSettled([...open].map((close) => close()));
});

function once(close: () => Promise<void>): () => Promise<void> {
  let closed: Promise<void> | undefined;
  const closeOnce = () => {
    open.delete(closeOnce);
    return (closed ??= close());
  };
  open.add(closeOnce);
  return closeOnce;
}

const TOKEN = /name="_csrf" value="([^"]+)"/;

/** A browser session: keeps cookies and the CSRF token of the last page. */
export class Visitor {
  readonly #app: FastifyInstance;
  readonly #cookies = new Map<string, string>();
  #token: string | undefined;
  #headerToken: string | undefined;

  constructor(app: FastifyInstance) {
    this.#app = app;
  }

  /** Creates a visitor with the same cookies for another service. */
  on({ app }: TestApp): Visitor {
    const visitor = new Visitor(app);
    for (const [name, value] of this.#cookies) visitor.#cookies.set(name, value);
    return visitor;
  }

  get(url: string, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> {
    return this.#ask({ method: "GET", url, headers });
  }

  head(url: string): Promise<LightMyRequestResponse> {
    return this.#ask({ method: "HEAD", url });
  }

  /** Submits a form with the token from the last page. Opens the page first if there is no token. An array repeats its field. */
  async post(
    url: string,
    fields: Readonly<Record<string, string | readonly string[]>>,
    headers: Record<string, string> = {},
  ): Promise<LightMyRequestResponse> {
    if (this.#token === undefined) await this.get(url, headers);
    const form = new URLSearchParams(this.#token === undefined ? {} : { _csrf: this.#token });
    for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) form.append(name, one);
    return this.send(url, form.toString(), { "content-type": "application/x-www-form-urlencoded", ...headers });
  }

  /** Presses "Sign out" in the header of the last page. */
  signOut(headers: Record<string, string> = {}): Promise<LightMyRequestResponse> {
    const payload = new URLSearchParams({ _csrf: this.#headerToken ?? "", action: "sign-out" }).toString();
    return this.send("/", payload, { "content-type": "application/x-www-form-urlencoded", ...headers });
  }

  send(url: string, payload: string | Buffer, headers: Record<string, string>): Promise<LightMyRequestResponse> {
    return this.#ask({ method: "POST", url, headers: { "sec-fetch-site": "same-origin", ...headers }, payload });
  }

  async #ask(request: InjectOptions): Promise<LightMyRequestResponse> {
    const response = await this.#app.inject({ ...request, cookies: Object.fromEntries(this.#cookies) });
    for (const { name, value } of response.cookies) this.#cookies.set(name, value);
    const main = response.body.slice(Math.max(0, response.body.indexOf("<main")));
    this.#token = TOKEN.exec(main)?.[1] ?? this.#token;
    this.#headerToken = TOKEN.exec(response.body)?.[1] ?? this.#headerToken;
    return response;
  }
}
