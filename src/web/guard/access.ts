import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Access, isActing } from "../any-route.ts";
import { onRequest } from "../hooks.ts";
import { AccessException } from "./access-exception.ts";
import { isFromThisMachine } from "./open-access.ts";
import { isForeign, type IsOwnOrigin } from "./origin.ts";
import { type SignIn, signInBy, type SignInOptions } from "./sign-in.ts";
import { OPEN_USER, type Role, type User } from "./user.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who acts, for the audit: `open`, the name of a user, or the role of one without; empty when nobody was asked. */
    actor: string;
    /** What they may do; undefined when nobody was asked. */
    role: Role | undefined;
    /** The credential came as a Bearer token, which no browser sends by itself. */
    viaBearer: boolean;
    /** The request passes every guard of open access; always false where a credential is required. */
    openAccess: boolean;
  }
}

/** `credentials` undefined: access is open, to requests of this machine alone. */
export type AccessOptions = Omit<SignInOptions, "credentials"> & {
  credentials: SignInOptions["credentials"] | undefined;
  port(): number;
  isOwnOrigin: IsOwnOrigin;
};

/** Asks who it is on every known route that wants to know, and lets viewers do nothing. Unknown paths never come here. */
export function addAccess(app: FastifyInstance, { credentials, port, isOwnOrigin, ...options }: AccessOptions): void {
  const signIn: SignIn = credentials === undefined ? allowOpen : signInBy({ credentials, ...options });
  app.decorateRequest("actor", "");
  app.decorateRequest("role", undefined);
  app.decorateRequest("viaBearer", false);
  app.decorateRequest("openAccess", false);
  onRequest(app, (request, reply) => {
    const { access = "viewer" } = request.routeOptions.config;
    if (credentials === undefined && isForeign(request, isOwnOrigin)) throw forbid(request, FOREIGN);
    request.openAccess = credentials === undefined && isFromThisMachine(request, port());
    if (access !== "viewer" && access !== "admin") return undefined;
    const user = signIn(request, reply);
    return user instanceof Promise ? user.then((one) => admit(one, access, request)) : admit(user, access, request);
  });
  app.addHook("preHandler", (request, _reply, done) => {
    if (isActing(request)) requireAdmin(request);
    done();
  });
}

/** Only for open access. With a password, form tokens and senders' credentials stop other sites. */
const FOREIGN = "Another site sent this request. While access is open, only pages of this service may send requests that change something.";

function admit({ name, role }: User, access: Access, request: FastifyRequest): undefined {
  request.actor = name;
  request.role = role;
  if (access === "admin") requireAdmin(request);
  return undefined;
}

function allowOpen(request: FastifyRequest): User {
  if (request.openAccess) return OPEN_USER;
  throw forbid(
    request,
    "Access without a credential is only for requests made on this machine itself. Set ADMIN_PASSWORD, or NODE_ENV=production, to use the service from elsewhere or behind a proxy.",
  );
}

function requireAdmin(request: FastifyRequest): void {
  if (request.role !== "viewer") return;
  throw forbid(
    request,
    "You are signed in as a viewer, who may look but change nothing: this is for administrators. To sign in as somebody else, close the browser or use a private window.",
  );
}

function forbid(request: FastifyRequest, message: string): AccessException {
  const { id: reqId, ip, method, actor: user, routeOptions } = request;
  request.log.warn({ reqId, ip, user, method, route: routeOptions.url }, "forbidden");
  return new AccessException(403, message);
}
