import { timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../clock.ts";
import { AccessException } from "../http-error.ts";
import { counted } from "../parts/amount.ts";
import { Attempts, FAILURES_A_MINUTE } from "./attempts.ts";
import type { FailureStore } from "./backoff.ts";
import { KnownBrowsers } from "./known-browsers.ts";
import { networks } from "./networks.ts";
import type { CookieScope } from "./session.ts";
import { SignInLog } from "./sign-in-log.ts";
import { isName, readAuthorization, type Role, type User } from "./user.ts";

export type Credentials = { admin: string; viewer: string | undefined; proxy: UserProxy | undefined };

type UserProxy = { header: string; networks: readonly string[]; admins: readonly string[] };

export type SignInOptions = {
  credentials: Credentials;
  hash(secret: string): string;
  clock: Clock;
  failures: FailureStore;
  cookies: CookieScope & { secret: string };
};

export type SignIn = (request: FastifyRequest, reply: FastifyReply) => User | Promise<User>;

export function signInBy({ credentials, hash, clock, failures, cookies }: SignInOptions): SignIn {
  const signIns = new SignInLog(clock);
  const byProxy = credentials.proxy && proxySignIn(credentials.proxy, signIns);
  const findRole = roleFinder(credentials);
  const attempts = new Attempts(failures, clock);
  const browsers = new KnownBrowsers({ ...cookies, clock, passwords: credentials });
  return (request, reply) => {
    const user = byProxy?.(request);
    return user ? signedIn(user, request) : byPassword(request, reply);
  };

  function signedIn(user: User, { ip, log, id }: FastifyRequest): User {
    signIns.succeeded(user, { ip, log, reqId: id });
    return user;
  }

  /** Accepts any user name. Without one, the audit log names the role. */
  async function byPassword(request: FastifyRequest, reply: FastifyReply): Promise<User> {
    const sent = readAuthorization(request.headers.authorization);
    if (!sent) throw new AccessException(401, "Sign in with an administrator or viewer password and any user name.");
    const browser = browsers.find(request);
    const outcome = await attempts.check({ address: addressOf(request), browser }, () => findRole(hash(sent.secret)));
    if (outcome.kind === "wait")
      throw new AccessException(429, `Too many failed sign-ins. Try again in ${counted(outcome.seconds, "second")}.`, outcome.seconds);
    if (outcome.kind === "wrong") throw refuse(request, outcome.limitReached);
    browsers.remember(reply, outcome.role, browser);
    if (outcome.isNewPlace) await attempts.rememberPlace(addressOf(request)).catch((error: unknown) => logUnstored(error, request));
    request.viaBearer = sent.scheme === "bearer";
    return signedIn({ role: outcome.role, name: isName(sent.name) ? sent.name : outcome.role }, request);
  }
}

/** Node has no address for a client that has disconnected. */
function addressOf({ ip }: FastifyRequest): string {
  return ip ?? "";
}

/** The password was right, so sign-in succeeds even if the address cannot be stored. */
function logUnstored(err: unknown, { id: reqId, ip, log }: FastifyRequest): void {
  log.error({ reqId, ip, err }, "the address of an administrator was not stored");
}

function refuse({ id: reqId, ip, log }: FastifyRequest, limitReached: boolean): AccessException {
  log.warn({ reqId, ip }, "wrong credential");
  if (limitReached) log.warn(`${FAILURES_A_MINUTE} failed sign-ins in a minute: addresses and browsers that never signed in have to wait`);
  return new AccessException(401, "Wrong password.");
}

function roleFinder({ admin, viewer }: Credentials): (hashed: string) => Role | undefined {
  const [adminHash, viewerHash] = [Buffer.from(admin), viewer === undefined ? undefined : Buffer.from(viewer)];
  return (hashed) => {
    const sent = Buffer.from(hashed);
    const isAdmin = timingSafeEqual(sent, adminHash);
    const isViewer = viewerHash !== undefined && timingSafeEqual(sent, viewerHash);
    if (isAdmin) return "admin";
    return isViewer ? "viewer" : undefined;
  };
}

/** Ignores the header from other peers, because anyone can send it. */
function proxySignIn({ header, admins, ...proxy }: UserProxy, signIns: SignInLog): (request: FastifyRequest) => User | undefined {
  const field = header.toLowerCase();
  const isProxy = networks(proxy.networks);
  return ({ headers, raw, log, id: reqId }) => {
    const sent = headers[field];
    if (sent === undefined || sent === "") return undefined;
    const { remoteAddress: peer } = raw.socket;
    if (!isProxy(peer)) {
      signIns.untrustedUserHeader({ ip: peer ?? "", log, reqId });
      return undefined;
    }
    const name = readUserName(String(sent));
    if (name === undefined) {
      log.warn({ reqId, ip: peer }, "the proxy names no user, or more than one");
      throw new AccessException(
        401,
        "The proxy must name one user. The name may have up to 100 characters and no comma, and must not be “open”.",
      );
    }
    return { name, role: admins.includes(name) ? "admin" : "viewer" };
  };
}

/** Node decodes headers as Latin-1 and joins repeated ones with a comma, so a comma may mean that the client sent the header too. */
function readUserName(sent: string): string | undefined {
  const name = Buffer.from(sent, "latin1").toString("utf8");
  return isName(name) && !name.includes(",") ? name : undefined;
}
