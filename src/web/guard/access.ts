import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Access, isActing } from "../any-route.ts";
import { onRequest } from "../hooks.ts";
import { AccessException } from "../http-error.ts";
import { isFromThisMachine } from "./networks.ts";
import { isForeign, type IsOwnOrigin } from "./origin.ts";
import { type SignIn, signInBy, type SignInOptions } from "./sign-in.ts";
import { OPEN_USER, type Role, type User } from "./user.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Name for the audit log: the user name, or the role if there is none; `open` for open access; empty if the route needs no sign-in. */
    actor: string;
    role: Role | undefined;
    /** Signed in with a Bearer token, which browsers never send on their own. */
    viaBearer: boolean;
    /** Whether the request passes every check of open access. Always false if a password is required. */
    openAccess: boolean;
  }
}

/** Without `credentials`, access is open to requests from this machine. */
type AccessOptions = Omit<SignInOptions, "credentials"> & {
  credentials: SignInOptions["credentials"] | undefined;
  port(): number;
  isOwnOrigin: IsOwnOrigin;
};

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

/** Used only for open access. With a password, form tokens and sender credentials stop requests from other sites. */
const FOREIGN =
  "Another site sent this request. While access is open, only this service's own pages may send requests that change something.";

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
    "Without a password, access is limited to requests from this machine. To use the service from elsewhere or through a proxy, set ADMIN_PASSWORD or NODE_ENV=production.",
  );
}

function requireAdmin(request: FastifyRequest): void {
  if (request.role !== "viewer") return;
  throw forbid(
    request,
    "You are signed in as a viewer. This requires an administrator. To sign in as another user, close the browser or use a private window.",
  );
}

function forbid(request: FastifyRequest, message: string): AccessException {
  const { id: reqId, ip, method, actor: user, routeOptions } = request;
  request.log.warn({ reqId, ip, user, method, route: routeOptions.url }, "forbidden");
  return new AccessException(403, message);
}
