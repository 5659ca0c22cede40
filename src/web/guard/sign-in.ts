import { timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../clock.ts";
import { counted } from "../parts/amount.ts";
import { AccessException } from "./access-exception.ts";
import { Attempts, FAILURES_A_MINUTE } from "./attempts.ts";
import { type HeaderCredential, readAuthorization } from "./authorization.ts";
import type { FailureStore } from "./backoff.ts";
import type { CookiePlace } from "./cookie.ts";
import { KnownBrowsers } from "./known-browsers.ts";
import { SignInLog } from "./sign-in-log.ts";
import { type UserProxy, userProxy } from "./user-proxy.ts";
import { isName, type Role, type User } from "./user.ts";

/** What lets people in: the hash of the password of each role, and the proxy that names them. */
export type Credentials = { admin: string; viewer: string | undefined; proxy: UserProxy | undefined };

export type SignInOptions = {
  credentials: Credentials;
  hash(secret: string): string;
  clock: Clock;
  failures: FailureStore;
  /** `secret` is the key that cookies are signed with. */
  cookies: CookiePlace & { secret: string };
};

export type SignIn = (request: FastifyRequest, reply: FastifyReply) => User | Promise<User>;

/** Finds out who makes a request, by the proxy or by a password, or throws `AccessException`. */
export function signInBy({ credentials, hash, clock, failures, cookies }: SignInOptions): SignIn {
  const signIns = new SignInLog(clock);
  const named = credentials.proxy && userProxy(credentials.proxy, signIns);
  const roleOf = rolesBy(credentials);
  const attempts = new Attempts(failures, clock);
  const browsers = new KnownBrowsers({ ...cookies, clock, passwords: credentials });
  return (request, reply) => {
    const user = named?.(request);
    return user ? signedIn(user, request) : byPassword(request, reply);
  };

  function signedIn(user: User, { ip, log, id }: FastifyRequest): User {
    signIns.succeeded(user, { ip, log, reqId: id });
    return user;
  }

  /** Any user name will do; without one, who acts is called by the role. */
  async function byPassword(request: FastifyRequest, reply: FastifyReply): Promise<User> {
    const given = readAuthorization(request.headers.authorization);
    if (!given)
      throw new AccessException(401, "A credential is required: the password of an administrator or a viewer, with any user name.");
    const browser = browsers.find(request);
    const outcome = await attempts.check({ address: addressOf(request), browser }, () => roleOf(hash(given.secret)));
    if (outcome.kind === "wait") throw waitFor(outcome.seconds);
    if (outcome.kind === "wrong") throw refuse(request, outcome.limitReached);
    browsers.remember(reply, outcome.role, browser);
    if (outcome.isNewPlace) await attempts.rememberPlace(addressOf(request)).catch((error: unknown) => logUnstored(error, request));
    request.viaBearer = given.scheme === "bearer";
    return signedIn({ role: outcome.role, name: nameOf(given) ?? outcome.role }, request);
  }
}

/** A client that has left has no address any more. */
function addressOf({ ip }: FastifyRequest): string {
  return ip ?? "";
}

/** The right password is enough even if the database cannot be written. */
function logUnstored(err: unknown, { id: reqId, ip, log }: FastifyRequest): void {
  log.error({ reqId, ip, err }, "the address of an administrator was not stored");
}

function nameOf({ name }: HeaderCredential): string | undefined {
  return isName(name) ? name : undefined;
}

function waitFor(seconds: number): AccessException {
  return new AccessException(429, `Too many wrong credentials. Try again in ${counted(seconds, "second")}.`, seconds);
}

function refuse({ id: reqId, ip, log }: FastifyRequest, limitReached: boolean): AccessException {
  log.warn({ reqId, ip }, "wrong credential");
  if (limitReached)
    log.warn(`${FAILURES_A_MINUTE} wrong credentials in a minute: addresses and browsers that never signed in have to wait`);
  return new AccessException(401, "The credential is wrong.");
}

/** The role whose password has a hash, found in the same time for each. */
function rolesBy({ admin, viewer }: Credentials): (hashed: string) => Role | undefined {
  const [ofAdmin, ofViewer] = [Buffer.from(admin), viewer === undefined ? undefined : Buffer.from(viewer)];
  return (hashed) => {
    const given = Buffer.from(hashed);
    const isAdmin = timingSafeEqual(given, ofAdmin);
    const isViewer = ofViewer !== undefined && timingSafeEqual(given, ofViewer);
    if (isAdmin) return "admin";
    return isViewer ? "viewer" : undefined;
  };
}
