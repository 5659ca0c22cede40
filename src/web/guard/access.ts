import { isDeepStrictEqual } from "node:util";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type RouteAccess, actionOf, isActing } from "../any-route.ts";
import { onRequest, preHandler } from "../hooks.ts";
import { AccessException } from "../http-error.ts";
import { seeOther } from "../page.ts";
import { path, withQuery } from "../path.ts";
import { SIGNED_OUT_PARAMETER } from "../sign-in-page.ts";
import { requireToken } from "./csrf.ts";
import type { FormCookie } from "./form-cookie.ts";
import { requireGrant } from "./grant.ts";
import { isFromThisMachine } from "./networks.ts";
import { isForeign, type IsOwnOrigin } from "./origin.ts";
import { signInSource } from "./sign-in-events.ts";
import { SignInForm } from "./sign-in-form.ts";
import { PasswordSignIn, type SignIn, createSignIn, type SignInOptions } from "./sign-in.ts";
import type { SingleSignOn } from "./single-sign-on.ts";
import { hasRole, isByToken, isRole, OPEN_USER, type Role, type User } from "./user.ts";

type RequestBy = { actor: string; kind: "person" | "token" | "open"; address: string | undefined };

declare module "fastify" {
  interface FastifyRequest {
    /** Undefined on routes that need no sign-in. */
    user: User | undefined;
    /** The user's name in the audit log. Empty if the route needs no sign-in. */
    readonly actor: string;
    readonly role: Role | undefined;
    /** The user, as recorded in the audit log. */
    readonly by: RequestBy;
    /**
     * Whether the user signed in with a Bearer header, which browsers never send on their own. It contains a token or a shared password.
     */
    viaBearer: boolean;
    /** Whether the request passes all open access checks. Always false if a password is required. */
    openAccess: boolean;
  }
  interface FastifyReply {
    /** The sign-in form's token, or undefined while access is open. */
    signInToken(): string | undefined;
    /** Returns undefined without single sign-on. `failure` explains why the last attempt failed. */
    singleSignOn(): { failure: string | undefined } | undefined;
    /** Rechecks the signed-in user's password, with the same limits as sign-in. Returns why it is refused, or undefined. */
    confirmPassword(password: string): Promise<string | undefined>;
    /** Whether the user still has the access that the request started with. */
    isStillSignedIn(): Promise<boolean>;
  }
}

/** Without `credentials`, access is open to requests from this machine. */
type AccessOptions = Omit<SignInOptions, "credentials"> & {
  formCookie: FormCookie;
  credentials: SignInOptions["credentials"] | undefined;
  port(): number;
  isOwnOrigin: IsOwnOrigin;
  singleSignOn: SingleSignOn | undefined;
};

/** Call after the session has been found. */
export function addAccess(
  app: FastifyInstance,
  { credentials, port, isOwnOrigin, formCookie, singleSignOn, ...options }: AccessOptions,
): void {
  const passwords = credentials && new PasswordSignIn({ credentials, ...options });
  const signInUser: SignIn = passwords === undefined ? openAccessUser : createSignIn({ credentials: credentials!, ...options }, passwords);
  const form = passwords && new SignInForm({ passwords, isOwnOrigin, formCookie });
  app.decorateReply("signInToken", function signInToken(this: FastifyReply) {
    return form?.token(this);
  });
  app.decorateReply("singleSignOn", function findSingleSignOn(this: FastifyReply) {
    return singleSignOn && { failure: singleSignOn.takeFailure(this) };
  });
  app.decorateReply("confirmPassword", async function confirmPassword(this: FastifyReply, password: string) {
    return passwords === undefined ? "No passwords are in use." : passwords.confirm(password, this);
  });
  addRepeatedCheck(app, signInUser);
  app.decorateRequest("user", undefined);
  app.decorateRequest("actor", { getter: userName });
  app.decorateRequest("role", { getter: userRole });
  app.decorateRequest("by", { getter: requestBy });
  app.decorateRequest("viaBearer", false);
  app.decorateRequest("openAccess", false);
  onRequest(app, (request, reply) => {
    const { access = "viewer" } = request.routeOptions.config;
    if (credentials === undefined && isForeign(request, isOwnOrigin)) throw forbiddenError(request, FOREIGN_REQUEST_TEXT);
    request.openAccess = credentials === undefined && isFromThisMachine(request, port());
    if (!isRole(access)) return undefined;
    if (form && maySignIn(request)) return undefined;
    if (singleSignOn?.isSent(request)) return singleSignOn.submit(request, reply);
    const user = signInUser(request, reply);
    return user instanceof Promise ? user.then((one) => admitUser(one, access, reply)) : admitUser(user, access, reply);
  });
  preHandler(app, (request, reply) => {
    if (form && maySignIn(request)) return signInOrOut(form, request, reply);
    return requireRoleToAct(request);
  });

  async function signInOrOut(of: SignInForm, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    if (of.isSent(request)) return seeOther(reply, { text: await of.submit(request, reply) });
    await admitUser(await signInUser(request, reply), "viewer", reply);
    if (actionOf(request) !== "sign-out") return requireRoleToAct(request);
    requireToken(request, isOwnOrigin);
    await options.events.record({ action: "sign out", user: request.user! }, signInSource(request));
    await reply.endSession();
    return seeOther(reply, withQuery(path`/`, { [SIGNED_OUT_PARAMETER]: "1" }));
  }
}

function addRepeatedCheck(app: FastifyInstance, signInUser: SignIn): void {
  app.decorateReply("isStillSignedIn", async function isStillSignedIn(this: FastifyReply) {
    await this.request.refreshSession();
    try {
      return isDeepStrictEqual(accessOf(await signInUser(this.request, this)), accessOf(this.request.user));
    } catch (error) {
      if (error instanceof AccessException) return false;
      throw error;
    }
  });
}

/**
 * Returns whether a post may sign in or out. Only the body shows which, so access is checked after the body has been read. Requests with a
 * token can do neither.
 */
function maySignIn(request: FastifyRequest): boolean {
  return request.method === "POST" && request.routeOptions.config.signsIn === true && !isByToken(request);
}

function accessOf(user: User | undefined) {
  return { kind: user?.kind, name: user?.name, role: user?.role, grant: user?.grant };
}

function userName(this: FastifyRequest): string {
  return this.user?.name ?? "";
}

function requestBy(this: FastifyRequest): RequestBy {
  const { user, ip: address } = this;
  const kind = user?.kind === "token" || user?.kind === "open" ? user.kind : "person";
  return { actor: user?.name ?? "", kind, address };
}

function userRole(this: FastifyRequest): Role | undefined {
  return this.user?.role;
}

/** Used only for open access. If a password is set, form tokens and sender credentials protect against requests from other sites. */
const FOREIGN_REQUEST_TEXT =
  "Another site sent this request. While access is open, only this service's own pages may send requests that change data.";

function admitUser(user: User, access: RouteAccess, reply: FastifyReply): Promise<void> | undefined {
  const { request } = reply;
  request.user = user;
  const sessionRemoval = reply.endOtherSession();
  if (isRole(access)) requireRole(request, access);
  return sessionRemoval;
}

function openAccessUser(request: FastifyRequest): User {
  if (request.openAccess) return OPEN_USER;
  throw forbiddenError(
    request,
    "Without a password, access is limited to requests from this machine. To use the service from elsewhere or through a proxy, set ADMIN_PASSWORD or NODE_ENV=production.",
  );
}

function requireRoleToAct(request: FastifyRequest): undefined {
  if (request.user?.grant) requireGrant(request, request.user.grant);
  if (isActing(request)) requireRole(request, request.routeOptions.config.acts ?? "editor");
}

const ROLE_TEXTS: Record<Role, string> = { viewer: "a viewer", editor: "an editor", admin: "an administrator" };

function requireRole(request: FastifyRequest, needed: Role): void {
  const { role } = request;
  if (role === undefined || hasRole(role, needed)) return;
  if (request.user?.kind === "token") throw forbiddenError(request, "API tokens cannot be used here.");
  throw forbiddenError(
    request,
    `You are signed in as ${ROLE_TEXTS[role]}. This requires ${ROLE_TEXTS[needed]}. Sign out to sign in as another user.`,
  );
}

function forbiddenError(request: FastifyRequest, message: string): AccessException {
  const { id: reqId, ip, method, actor: user, routeOptions } = request;
  request.log.warn({ reqId, ip, user, method, route: routeOptions.url }, "forbidden");
  return new AccessException(403, message);
}
