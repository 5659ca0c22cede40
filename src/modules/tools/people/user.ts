import type { FastifyInstance, FastifyReply } from "fastify";
import { invitationLink } from "../../../access/invitations.ts";
import { findPerson, type Person, personState } from "../../../access/people.ts";
import { changePerson, type ChangeOutcome, invitePerson, type PersonChange } from "../../../access/person-changes.ts";
import { type EndedSessions, endSessions, listSessions } from "../../../access/sessions.ts";
import { actionOf, addAnyRoute } from "../../../web/any-route.ts";
import { readTyped } from "../../../web/form.ts";
import { formToken } from "../../../web/guard/csrf.ts";
import { isRole } from "../../../web/guard/user.ts";
import { HttpException, NotFoundException } from "../../../web/http-error.ts";
import { sendJson } from "../../../web/json.ts";
import { wantsJson } from "../../../web/negotiate.ts";
import { seeOther, sendPage } from "../../../web/page.ts";
import { formatCount } from "../../../web/parts/amount.ts";
import { path } from "../../../web/path.ts";
import { toDate, type ToolDeps } from "../tool.ts";
import { invitationIssuedPage } from "./invitation-issued-page.ts";
import { ROLE_LABELS } from "./role-words.ts";
import { userPage } from "./user-page.ts";

export type UserDeps = Pick<ToolDeps, "config" | "database" | "clock">;

type UserAction = (needs: UserDeps, person: Person, reply: FastifyReply) => Promise<FastifyReply>;

const USER_ACTIONS: Readonly<Record<string, UserAction>> = {
  invite: submitInvitation,
  role: submitRole,
  disable: (...args) => applyChange("disable", "User disabled and signed out.", args),
  enable: (...args) => applyChange("enable", "User enabled.", args),
  delete: (...args) => applyChange("delete", "User deleted.", args),
  "end-session": (needs, person, reply) => end(needs, { user: person.name, only: readTyped(reply.request.body).id ?? "" }, reply),
  "end-sessions": (needs, person, reply) => end(needs, { user: person.name }, reply),
};

export function addUserPage(app: FastifyInstance, needs: UserDeps): void {
  const route = { url: "/tools/users/:name", about: "one user: role, invitation, sessions", access: "admin", acts: "admin" } as const;
  addAnyRoute(app, route, async (request, reply) => {
    const { name } = request.params as { name: string };
    const person = await findPerson(needs.database, name);
    if (person === undefined) throw notFound(name);
    const action = actionOf(request) ?? "";
    return Object.hasOwn(USER_ACTIONS, action) ? USER_ACTIONS[action]!(needs, person, reply) : showUser(needs, person, reply);
  });
}

function notFound(name: string): NotFoundException {
  return new NotFoundException(`User '${name}' not found`);
}

async function showUser({ config, database, clock }: UserDeps, person: Person, reply: FastifyReply): Promise<FastifyReply> {
  const now = clock.now();
  if (wantsJson(reply.request)) return sendJson(reply, userJson(person, now));
  const sessions = await listSessions(database, person.name, { ...config.session, now });
  const isRoleClaimed = person.source === "oidc" && config.values.OIDC_ROLE_CLAIM !== undefined;
  const view = { person, now, isRoleClaimed, sessions, current: reply.request.session?.idHash };
  return sendPage(reply, userPage(view, await formToken(reply)));
}

export function userJson(person: Person, now: number) {
  const { name, role, source, invitedUntil, createdAt, passwordAt, seenAt, disabledAt } = person;
  return {
    name,
    role,
    state: personState(person, now),
    signIn: source === "oidc" ? "single sign-on" : "password",
    lastSeenAt: toDate(seenAt),
    createdAt: toDate(createdAt),
    passwordChangedAt: toDate(passwordAt),
    invitedUntil: toDate(invitedUntil),
    disabledAt: toDate(disabledAt),
  };
}

async function submitInvitation(needs: UserDeps, { name }: Person, reply: FastifyReply): Promise<FastifyReply> {
  const invitation = await invitePerson(needs.database, name, { ...reply.request.by, at: needs.clock.now() });
  if ("refusal" in invitation) throw new HttpException(409, invitation.refusal);
  return sendInvitation(needs, { name, ...invitation }, reply);
}

/** Shows the link, which can't be displayed again later. */
export async function sendInvitation(
  { config }: UserDeps,
  { name, secret }: { name: string; secret: string },
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { request } = reply;
  const origin = config.values.PUBLIC_URL?.origin ?? `${request.protocol}://${request.host}`;
  const link = invitationLink(`${origin}${config.prefix}`, secret);
  return wantsJson(request) ? sendJson(reply, { name, invitation: link }) : sendPage(reply, invitationIssuedPage(name, link));
}

async function submitRole(...args: Parameters<UserAction>): Promise<FastifyReply> {
  const { role } = readTyped(args[2].request.body);
  if (!isRole(role)) throw new HttpException(422, "Choose a role: viewer, editor or admin.");
  return applyChange({ role }, `Role changed to ${ROLE_LABELS[role].toLowerCase()}.`, args);
}

async function applyChange(change: PersonChange, flash: string, [needs, { name }, reply]: Parameters<UserAction>): Promise<FastifyReply> {
  const { config, database, clock } = needs;
  const { request } = reply;
  const mayRemoveLastAdmin = config.values.ADMIN_PASSWORD !== undefined || request.shell.open;
  const outcome = await changePerson(database, { name, change, mayRemoveLastAdmin }, { ...request.by, at: clock.now() });
  if (outcome === "unknown") throw notFound(name);
  if (outcome === "last administrator") throw new HttpException(409, LAST_ADMIN_TEXT);
  if (wantsJson(request)) return sendJson(reply, { name, outcome });
  return seeOther(reply, change === "delete" ? path`/tools/users` : path`/tools/users/${name}`, FLASH_TEXTS[outcome] ?? flash);
}

const LAST_ADMIN_TEXT = "This is the only administrator who can sign in. Make another user an administrator first, or set ADMIN_PASSWORD.";

const FLASH_TEXTS: Partial<Record<ChangeOutcome, string>> = { unchanged: "No changes." };

async function end({ database, clock }: UserDeps, ended: EndedSessions, reply: FastifyReply): Promise<FastifyReply> {
  const { request } = reply;
  const count = await endSessions(database, ended, { ...request.by, at: clock.now() });
  if (wantsJson(request)) return sendJson(reply, { name: ended.user, ended: count });
  return seeOther(reply, path`/tools/users/${ended.user}`, `${formatCount(count, "session")} signed out.`);
}
