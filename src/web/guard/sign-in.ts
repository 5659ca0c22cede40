import { timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../clock.ts";
import { AccessException } from "../http-error.ts";
import { formatCount } from "../parts/amount.ts";
import { SignInAttempts, MAX_FAILURES_PER_MINUTE, type Priority } from "./attempts.ts";
import type { FailureStore } from "./backoff.ts";
import { KnownBrowsers } from "./known-browsers.ts";
import { createNetworkMatcher } from "./networks.ts";
import type { CookieScope } from "./session.ts";
import { type SignInEvent, type SignInEvents, signInSource } from "./sign-in-events.ts";
import { SignInLog } from "./sign-in-log.ts";
import { isName, readAuthorization, type Role, type User } from "./user.ts";

export type Credentials = { admin: string; viewer: string | undefined; proxy: UserProxy | undefined };

type UserProxy = { header: string; networks: readonly string[]; admins: readonly string[] };

/** Finds users by password or token. `hash` is the SHA-256 of the token. */
export type PersonSignIn = {
  byPassword(name: string, password: string, priority: Priority): Promise<User | undefined>;
  byToken(hash: string): Promise<User | undefined>;
};

export type SignInOptions = {
  credentials: Credentials;
  hash(secret: string): string;
  clock: Clock;
  failures: FailureStore;
  people: PersonSignIn;
  events: SignInEvents;
  /** Derives a hash slowly, so that passwords can't be guessed from it. */
  stretch(hash: string): Promise<string>;
  cookies: CookieScope & { secret: () => string };
};

export type SignIn = (request: FastifyRequest, reply: FastifyReply) => User | Promise<User>;

/** Credentials from a form or an Authorization header. Without a name, `secret` is a token or a shared password. */
export type SentCredentials = { name: string | undefined; secret: string };

/** Sign-ins by API clients and proxies are recorded at most this often, because they send credentials with each request. */
const PROGRAM_LOG_INTERVAL_MS = 3_600_000;

export function createSignIn({ credentials, clock, events }: SignInOptions, passwords: PasswordSignIn): SignIn {
  const signIns = new SignInLog(clock);
  const byProxy = credentials.proxy && proxySignIn(credentials.proxy, signIns);
  return (request, reply) => {
    const userByProxy = byProxy?.(request);
    if (userByProxy) void events.record({ action: "sign in", user: userByProxy, onceIn: PROGRAM_LOG_INTERVAL_MS }, signInSource(request));
    const user = userByProxy ?? findSessionUser(request);
    return user ? logSignIn(user, request) : bySharedSessionOrHeader(request, reply);
  };

  async function bySharedSessionOrHeader(request: FastifyRequest, reply: FastifyReply): Promise<User> {
    const sharedUser = await passwords.findShared(request);
    return sharedUser ? logSignIn(sharedUser, request) : byHeader(request, reply);
  }

  async function byHeader(request: FastifyRequest, reply: FastifyReply): Promise<User> {
    const sentCredentials = isPageOfBrowser(request) ? undefined : readAuthorization(request.headers.authorization);
    if (!sentCredentials) throw new AccessException(401, request.method === "POST" ? SIGNED_OUT_TEXT : "Sign in to see this page.");
    const user = await passwords.check(sentCredentials, request, reply);
    await events.record({ action: "sign in", user, onceIn: PROGRAM_LOG_INTERVAL_MS }, signInSource(request));
    request.viaBearer = sentCredentials.scheme === "bearer";
    return logSignIn(user, request);
  }

  function logSignIn(user: User, { ip, log, id }: FastifyRequest): User {
    signIns.succeeded(user, { ip, log, reqId: id });
    return user;
  }
}

/**
 * Returns whether a browser requests a page. Browsers have to sign in with the form, because they would repeat Basic credentials until they
 * are closed, with no way to sign out.
 */
function isPageOfBrowser({ headers }: FastifyRequest): boolean {
  return headers["sec-fetch-mode"] === "navigate";
}

const WRONG_PASSWORD_TEXT = "This is not your current password.";

const SIGNED_OUT_TEXT = "You are not signed in, so nothing was changed. Sign in and try again.";

function findSessionUser({ session }: FastifyRequest): User | undefined {
  return session?.person && { ...session.person, kind: "person" };
}

/** Checks names and passwords, and slows down guesses. */
export class PasswordSignIn {
  readonly #options: SignInOptions;
  readonly #attempts: SignInAttempts;
  readonly #browsers: KnownBrowsers;
  readonly #tags = new Map<string, Promise<string>>();

  constructor(options: SignInOptions) {
    const { credentials, clock, failures, cookies } = options;
    this.#options = options;
    this.#attempts = new SignInAttempts(failures, clock);
    this.#browsers = new KnownBrowsers({ ...cookies, clock, passwords: credentials });
  }

  /** Throws an `AccessException`: 401 for invalid credentials, 429 during a lockout. */
  async check(sent: SentCredentials, request: FastifyRequest, reply: FastifyReply): Promise<User> {
    const browser = this.#browsers.find(request);
    const outcome = await this.#attempts.check({ address: clientAddress(request), browser }, (priority) => this.#find(sent, priority));
    if (outcome.kind !== "signed in") await this.#options.events.record(refusalEvent(sent, outcome.kind), signInSource(request));
    if (outcome.kind === "wait")
      throw new AccessException(429, `Too many failed sign-ins. Try again in ${formatCount(outcome.seconds, "second")}.`, outcome.seconds);
    if (outcome.kind === "wrong") throw refusalException(request, outcome.limitReached);
    this.#browsers.remember(reply, outcome.user, browser);
    if (outcome.isNewAddress)
      await this.#attempts.rememberAddress(clientAddress(request)).catch((error: unknown) => logUnstored(error, request));
    return outcome.user;
  }

  /** Checks the password of the signed-in user. Returns the reason why it is refused, or undefined. */
  async confirm(password: string, reply: FastifyReply): Promise<string | undefined> {
    const { request } = reply;
    const { name = "" } = request.user ?? {};
    try {
      const user = await this.check({ name, secret: password }, request, reply);
      return user.kind === "person" && user.name === name ? undefined : WRONG_PASSWORD_TEXT;
    } catch (error) {
      if (!(error instanceof AccessException)) throw error;
      return error.statusCode === 401 ? WRONG_PASSWORD_TEXT : error.message;
    }
  }

  /** Returns the user of a session that was started with a shared password. Changing the password ends the session. */
  async findShared({ session }: FastifyRequest): Promise<User | undefined> {
    const { signedIn } = session?.data ?? {};
    if (signedIn?.kind !== "shared" || signedIn.tag !== (await this.tagOf(signedIn.role))) return undefined;
    return { name: signedIn.role, role: signedIn.role, kind: "shared" };
  }

  /**
   * Returns a value that represents a shared password in sessions. It is slow to compute, because users choose the password and sessions
   * are stored.
   */
  async tagOf(role: Role): Promise<string | undefined> {
    const { credentials, stretch, cookies } = this.#options;
    const sharedPasswords: Partial<Record<Role, string | undefined>> = { admin: credentials.admin, viewer: credentials.viewer };
    const hash = sharedPasswords[role];
    return hash && this.#tags.getOrInsertComputed(`${cookies.secret()}\0${hash}`, () => stretch(hash));
  }

  /** Finds the user for credentials. Shared passwords work with any name, so that they still help in an emergency. */
  async #find({ name, secret }: SentCredentials, priority: Priority): Promise<User | undefined> {
    const { people, hash, credentials } = this.#options;
    const hashedSecret = hash(secret);
    const role = sharedRole(credentials, hashedSecret);
    if (role !== undefined) return { name: role, role, kind: "shared" };
    return name === undefined ? people.byToken(hashedSecret) : people.byPassword(name, secret, priority);
  }
}

function refusalEvent({ name }: SentCredentials, kind: "wait" | "wrong"): SignInEvent {
  return { action: kind === "wait" ? "locked out" : "refused sign-in", kind: name === undefined ? "token" : "person", name };
}

/** Returns the client's address, or an empty string if it has disconnected, because Node then reports none. */
function clientAddress({ ip }: FastifyRequest): string {
  return ip ?? "";
}

/** Logs that an administrator's address could not be stored. Sign-in succeeds anyway, because the password was correct. */
function logUnstored(err: unknown, { id: reqId, ip, log }: FastifyRequest): void {
  log.error({ reqId, ip, err }, "the address of an administrator was not stored");
}

function refusalException({ id: reqId, ip, log }: FastifyRequest, limitReached: boolean): AccessException {
  log.warn({ reqId, ip }, "wrong credential");
  if (limitReached)
    log.warn(
      `${MAX_FAILURES_PER_MINUTE} failed sign-ins in a minute: each address or browser that has never signed in is limited to one attempt a minute`,
    );
  return new AccessException(401, "Wrong user name or password.");
}

function sharedRole({ admin, viewer }: Credentials, hashed: string): Role | undefined {
  const sentHash = Buffer.from(hashed);
  const isAdmin = timingSafeEqual(sentHash, Buffer.from(admin));
  const isViewer = viewer !== undefined && timingSafeEqual(sentHash, Buffer.from(viewer));
  if (isAdmin) return "admin";
  return isViewer ? "viewer" : undefined;
}

/** Signs in the user named in a proxy's header. Ignores the header from other peers, because anyone can send it. */
function proxySignIn({ header, admins, ...proxy }: UserProxy, signIns: SignInLog): (request: FastifyRequest) => User | undefined {
  const field = header.toLowerCase();
  const isProxy = createNetworkMatcher(proxy.networks);
  return ({ headers, raw, log, id: reqId }) => {
    const sentName = headers[field];
    if (sentName === undefined || sentName === "") return undefined;
    const { remoteAddress: peer } = raw.socket;
    if (!isProxy(peer)) {
      signIns.untrustedUserHeader({ ip: peer ?? "", log, reqId });
      return undefined;
    }
    const name = readUserName(String(sentName));
    if (name === undefined) {
      log.warn({ reqId, ip: peer }, "the proxy sent no user name, or more than one");
      throw new AccessException(
        401,
        "The proxy must send exactly one user name. The name may have up to 100 characters and no comma, and must not be “open”.",
      );
    }
    return { name, role: admins.includes(name) ? "admin" : "viewer", kind: "proxy" };
  };
}

/**
 * Decodes the user name. Node decodes headers as Latin-1 and joins repeated headers with a comma, so a comma may mean that the client also
 * sent the header.
 */
function readUserName(sent: string): string | undefined {
  const name = Buffer.from(sent, "latin1").toString("utf8");
  return isName(name) && !name.includes(",") ? name : undefined;
}
