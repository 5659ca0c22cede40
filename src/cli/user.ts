import { invitationLink } from "../access/invitations.ts";
import { createPerson, findPerson, listPeople, nameFault, personName, personState } from "../access/people.ts";
import { changePerson, type ChangeOutcome, invitePerson, type PersonChange } from "../access/person-changes.ts";
import { replaceAdminPassword, rotateSessionKey } from "../access/secrets.ts";
import { endSessions } from "../access/sessions.ts";
import { systemClock } from "../clock.ts";
import { type Config, readConfig } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { By } from "../records/audit.ts";
import { isRole, type Role } from "../web/guard/user.ts";
import { formatCount } from "../web/parts/amount.ts";
import { type Command, UsageError } from "./command.ts";
import { withStore } from "./store.ts";

const USER_USAGE = [
  "user list",
  "user add NAME --role ROLE",
  "user invite NAME",
  "user role NAME ROLE",
  "user disable NAME",
  "user enable NAME",
  "user sessions end NAME",
  "user rotate-keys",
  "user new-admin-password",
].join(" | ");

export const userCommand: Command = {
  name: "user",
  usage: USER_USAGE,
  about: "manage who may sign in; links and passwords are shown only once",
  async run(args) {
    console.log(await withStore(readAction(args)));
    return 0;
  },
};

type CommandAction = (database: Database) => Promise<string>;

function readAction(words: readonly string[]): CommandAction {
  const [action, ...rest] = words;
  if (action === "list" && rest.length === 0) return listUsers;
  if (action === "rotate-keys" && rest.length === 0) return rotateKeys;
  if (action === "new-admin-password" && rest.length === 0) return newAdminPassword;
  if (action === "add") return parseAddCommand(rest);
  if (action === "sessions" && rest[0] === "end" && rest.length === 2) return (database) => endAllSessions(database, rest[1]!);
  const [name, role, ...more] = rest;
  if (name !== undefined && more.length === 0) {
    if (action === "role" && role !== undefined) return readChange(name, { role: readRole(role) });
    if (role === undefined && action === "invite") return (database) => runInvite(database, name);
    if (role === undefined && (action === "disable" || action === "enable")) return readChange(name, action);
  }
  throw usageError();
}

function usageError(): UsageError {
  return new UsageError(`Usage: npm run user -- ${USER_USAGE.replaceAll("user ", "")}`);
}

function parseAddCommand(words: readonly string[]): CommandAction {
  const option = words.indexOf("--role");
  const role = option < 0 ? undefined : words[option + 1];
  const [name, ...more] = words.filter((_, index) => option < 0 || (index !== option && index !== option + 1));
  if (name === undefined || role === undefined || more.length > 0) throw usageError();
  const fault = nameFault(name);
  if (fault !== undefined) throw new UsageError(fault);
  const checkedRole = readRole(role);
  return (database) => add(database, { name: personName(name), role: checkedRole });
}

function readRole(role: string): Role {
  if (isRole(role)) return role;
  throw new UsageError(`Unknown role '${role}'. Allowed: viewer, editor, admin.`);
}

/** Returns the actor for the audit log. Anyone who can run commands can access the database, so commands need no user name. */
function byCommand(): By {
  return { actor: "command line", kind: "command", at: systemClock.now() };
}

async function add(database: Database, { name, role }: { name: string; role: Role }): Promise<string> {
  const secret = await createPerson(database, { name, role }, byCommand());
  if (secret === undefined) throw new UsageError(`There is already a user ${name} in ${await userDatabase(database)}.`);
  return describeInvitation(`Added user ${name} (${role}).`, secret, await userDatabase(database));
}

async function runInvite(database: Database, name: string): Promise<string> {
  const invitation = await invitePerson(database, name, byCommand());
  if ("refusal" in invitation) throw new UsageError(`${invitation.refusal} Database: ${await userDatabase(database)}`);
  return describeInvitation(
    `New invitation for ${personName(name)}. Earlier links no longer work.`,
    invitation.secret,
    await userDatabase(database),
  );
}

function describeInvitation(done: string, secret: string, location: string): string {
  return [
    `${done} Within 7 days, open this link to choose a password:`,
    `  ${invitationLink(serviceUrl(readConfig()), secret)}`,
    `Only its hash is stored, in ${location}, so it cannot be shown again.`,
  ].join("\n");
}

function serviceUrl({ values, prefix }: Config): string {
  return values.PUBLIC_URL === undefined ? `http://localhost:${values.PORT}` : values.PUBLIC_URL.origin + prefix;
}

function readChange(name: string, change: PersonChange): CommandAction {
  return async (database) => {
    const mayRemoveLastAdmin = readConfig().values.ADMIN_PASSWORD !== undefined;
    const outcome = await changePerson(database, { name, change, mayRemoveLastAdmin }, byCommand());
    const location = await userDatabase(database);
    if (outcome !== "changed" && outcome !== "unchanged") throw new UsageError(REFUSAL_TEXTS[outcome](name, location));
    const person = await findPerson(database, name);
    const state = person?.disabledAt === undefined ? "enabled" : "disabled";
    return `User ${personName(name)} is ${outcome === "unchanged" ? "already " : ""}${typeof change === "string" ? state : change.role} in ${location}.`;
  };
}

const REFUSAL_TEXTS: Record<Exclude<ChangeOutcome, "changed" | "unchanged">, (name: string, location: string) => string> = {
  unknown: (name, location) => `No user ${name} in ${location}.`,
  "last administrator": (name) =>
    `${name} is the only administrator who can sign in. Make another user an administrator first, or set ADMIN_PASSWORD.`,
};

async function endAllSessions(database: Database, name: string): Promise<string> {
  const user = personName(name);
  const count = await endSessions(database, { user }, byCommand());
  return `Ended ${formatCount(count, "session")} of ${user} in ${await userDatabase(database)}.`;
}

async function rotateKeys(database: Database): Promise<string> {
  const count = await rotateSessionKey(database, byCommand());
  return [
    `Replaced the session key in ${await userDatabase(database)}. Ended ${formatCount(count, "session")}.`,
    "A running service forgets known browsers within 10 seconds. Everyone has to sign in again.",
  ].join("\n");
}

async function newAdminPassword(database: Database): Promise<string> {
  if (readConfig().values.ADMIN_PASSWORD !== undefined)
    throw new UsageError("ADMIN_PASSWORD is set, so no generated password is used. Change that setting instead, and restart the service.");
  const password = await replaceAdminPassword(database, byCommand());
  return [
    `New administrator password in ${await userDatabase(database)}. Only its hash is stored, so it won't be shown again:`,
    "  user      admin",
    `  password  ${password}`,
    "A running service uses it within 10 seconds. Sessions started with the old password have ended.",
  ].join("\n");
}

async function listUsers(database: Database): Promise<string> {
  const people = await listPeople(database);
  const location = await userDatabase(database);
  if (people.length === 0) return `No users in ${location}. Add one: npm run user -- add NAME --role ROLE`;
  const now = systemClock.now();
  const lines = people.map(
    (person) => `${person.name}  ${person.role}  ${personState(person, now)}  last seen ${lastSeenText(person.seenAt)}`,
  );
  return [...lines, `Database: ${location}`].join("\n");
}

function lastSeenText(seenAt: number | undefined): string {
  return seenAt === undefined ? "never" : new Date(seenAt).toISOString();
}

/** Returns the location of the database, because a command's settings may differ from the service's. */
async function userDatabase(database: Database): Promise<string> {
  return (await database.describe()).location;
}
