import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Clock } from "../../clock.ts";
import { counted } from "../parts/amount.ts";
import { AccessException } from "./access-exception.ts";
import { readAuthorization } from "./authorization.ts";
import { Backoff } from "./backoff.ts";
import { SignInLog } from "./sign-in-log.ts";
import { type UserProxy, userProxy } from "./user-proxy.ts";
import { isName, type Role, type User } from "./user.ts";

/** What lets people in: the hash of the password of each role, and the proxy that names them. */
export type Credentials = { admin: string; viewer: string | undefined; proxy: UserProxy | undefined };

export type SignInOptions = { credentials: Credentials; hash(secret: string): string; clock: Clock };

/** Answers who makes a request, by the proxy or by a password, or throws `AccessException`. */
export function signInBy({ credentials, hash, clock }: SignInOptions): (request: FastifyRequest) => User {
  const signIns = new SignInLog(clock);
  const named = credentials.proxy && userProxy(credentials.proxy, signIns);
  const roleOf = rolesBy(credentials);
  const backoff = new Backoff(clock);
  return (request) => {
    const { ip } = request;
    const user = named?.(request) ?? byPassword(request, ip);
    signIns.succeeded(user, { ip, log: request.log, reqId: request.id });
    return user;
  };

  /** Any user name will do; without one, who acts is called by the role. */
  function byPassword(request: FastifyRequest, ip: string): User {
    const wait = backoff.secondsToWait(ip);
    if (wait > 0) throw new AccessException(429, `Too many wrong credentials. Try again in ${counted(wait, "second")}.`, wait);
    const given = readAuthorization(request.headers.authorization);
    if (!given)
      throw new AccessException(401, "A credential is required: the password of an administrator or a viewer, with any user name.");
    const role = roleOf(hash(given.secret));
    if (role === undefined) {
      backoff.fail(ip);
      request.log.warn({ reqId: request.id, ip }, "wrong credential");
      throw new AccessException(401, "The credential is wrong.");
    }
    request.viaBearer = given.scheme === "bearer";
    return { role, name: isName(given.name) ? given.name : role };
  }
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
