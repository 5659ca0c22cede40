import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { hashPassword } from "../../../access/password-hash.ts";
import { findPerson } from "../../../access/people.ts";
import { changePassword } from "../../../access/person-changes.ts";
import { endSessions, listSessions } from "../../../access/sessions.ts";
import type { Database } from "../../../db/database.ts";
import { actionOf, addAnyRoute } from "../../../web/any-route.ts";
import { type Faults, readRaw, readTyped } from "../../../web/form.ts";
import { formToken } from "../../../web/guard/csrf.ts";
import type { User } from "../../../web/guard/user.ts";
import { HttpException } from "../../../web/http-error.ts";
import { sendFaults, sendJson } from "../../../web/json.ts";
import { wantsJson } from "../../../web/negotiate.ts";
import { seeOther, sendPage } from "../../../web/page.ts";
import { formatCount } from "../../../web/parts/amount.ts";
import { path } from "../../../web/path.ts";
import type { ToolDeps } from "../tool.ts";
import { type AccountView, accountPage, hasForm, type SignInKind } from "./account-page.ts";
import { readNewPassword } from "./new-password.ts";
import { sessionsJson } from "./sessions-table.ts";

const MAX_BODY_BYTES = 16 * 1024;

type AccountDeps = Pick<ToolDeps, "config" | "database" | "clock">;

export function addAccountPage(app: FastifyInstance, needs: AccountDeps): void {
  const description = "the signed-in user: password and sessions";
  addAnyRoute(app, { url: "/tools/account", about: description, acts: "viewer", bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    const action = actionOf(request);
    if (action === "change-password") return submitPassword(needs, request, reply);
    if (action === "end-session" && hasSessions(request.user!)) return endSession(needs, request, reply);
    if (action === "end-sessions" && hasSessions(request.user!)) return endOtherSessions(needs, request, reply);
    return showAccount(needs, reply);
  });
}

async function showAccount(needs: AccountDeps, reply: FastifyReply, faults: Faults = {}): Promise<FastifyReply> {
  const { request } = reply;
  const view = await readView(needs, request);
  const isRefused = Object.keys(faults).length > 0;
  if (wantsJson(request)) return isRefused ? sendFaults(reply, faults) : sendJson(reply, accountJson(view));
  const token = hasForm(view) ? await formToken(reply) : "";
  return sendPage(reply, accountPage(view, { faults, token }));
}

async function readView({ config, database, clock }: AccountDeps, { user, session }: FastifyRequest): Promise<AccountView> {
  const { name, role } = user!;
  const sessions = hasSessions(user!) ? await listSessions(database, name, { ...config.session, now: clock.now() }) : [];
  return { name, role, signIn: await findSignInKind(database, user!), sessions, current: session?.idHash };
}

/**
 * Returns whether the user has a list of sessions. Sessions are stored by name, so a proxy user who has the same name as a Roomrack user
 * would see that user's sessions.
 */
function hasSessions({ kind }: User): boolean {
  return kind === "person" || kind === "shared";
}

async function findSignInKind(database: Database, { name, kind }: User): Promise<SignInKind> {
  if (kind !== "person") return kind;
  return (await findPerson(database, name))?.source === "oidc" ? "single sign-on" : "password";
}

function accountJson({ name, role, signIn, ...sessions }: AccountView) {
  return { name, role, signIn, sessions: sessionsJson(sessions) };
}

async function submitPassword(needs: AccountDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { session, body } = request;
  const user = request.user!;
  if ((await findSignInKind(needs.database, user)) !== "password")
    throw new HttpException(409, "You can change your password here only if you signed in with it.");
  const { password, faults } = readNewPassword(body);
  if (Object.keys(faults).length > 0) return showAccount(needs, reply, faults);
  const refusal = await reply.confirmPassword(readRaw(body, "currentPassword"));
  if (refusal !== undefined) return showAccount(needs, reply, { currentPassword: refusal });
  const { database, clock } = needs;
  await changePassword(database, { name: user.name, password: await hashPassword(password) }, { ...request.by, at: clock.now() });
  if (session?.data.signedIn) await reply.signIn(user);
  return seeOther(reply, path`/tools/account`, "Password changed. All other sessions were signed out.");
}

async function endSession({ database, clock }: AccountDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { id = "" } = readTyped(request.body);
  await endSessions(database, { user: request.actor, only: id }, { ...request.by, at: clock.now() });
  return seeOther(reply, path`/tools/account`, "Session signed out.");
}

async function endOtherSessions({ database, clock }: AccountDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const sessionsToEnd = { user: request.actor, except: request.session?.idHash };
  const count = await endSessions(database, sessionsToEnd, { ...request.by, at: clock.now() });
  return seeOther(reply, path`/tools/account`, `${formatCount(count, "other session")} signed out.`);
}
