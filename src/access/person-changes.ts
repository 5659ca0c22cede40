import type { Kysely } from "kysely";
import type { Database } from "../db/database.ts";
import type { PersonRow, Tables } from "../db/schema.ts";
import { type By, createAudit, type FieldChange } from "../records/audit.ts";
import { newInvitation } from "./invitations.ts";
import { PEOPLE_LOCK, type Person, personName, personSubject, personState, toPerson } from "./people.ts";
import { hashSecret } from "./secrets.ts";

export type PersonChange = { role: PersonRow["role"] } | "disable" | "enable" | "delete";

/** `mayRemoveLastAdmin` is true if administrators can also sign in without a user record. */
export type ChangeRequest = { name: string; change: PersonChange; mayRemoveLastAdmin: boolean };

/** "unchanged" means that the user was already in the requested state. */
export type ChangeOutcome = "changed" | "unchanged" | "unknown" | "last administrator";

/** Changes a user. Disabling or deleting a user also ends the user's sessions and invitation. */
export async function changePerson(database: Database, request: ChangeRequest, by: By): Promise<ChangeOutcome> {
  const { change, mayRemoveLastAdmin } = request;
  return database.edit(PEOPLE_LOCK, async (db) => {
    const person = await findForChange(db, request.name);
    if (person === undefined) return "unknown";
    const { action, set, changes } = planChange(person, change, by.at);
    if (changes.length === 0) return "unchanged";
    if (!mayRemoveLastAdmin && removesAdmin(change) && (await isLastAdmin(db, person, by.at))) return "last administrator";
    if (set === "delete") await db.deleteFrom("person").where("name", "=", person.name).execute();
    else await db.updateTable("person").set(set).where("name", "=", person.name).execute();
    if (change === "disable" || change === "delete") await db.deleteFrom("session").where("person", "=", person.name).execute();
    await createAudit(db, { ...by, action, subject: personSubject(person.name), changes });
    return "changed";
  });
}

type ChangePlan = { action: string; set: Partial<PersonRow> | "delete"; changes: FieldChange[] };

function planChange(person: Person, change: PersonChange, now: number): ChangePlan {
  const isDisabled = person.disabledAt !== undefined;
  const states = (from: string, to: string) => (from === to ? [] : [{ field: "state", from, to }]);
  const current = isDisabled ? "disabled" : "enabled";
  if (change === "delete") return { action: "delete", set: "delete", changes: [{ field: "role", from: person.role, to: "" }] };
  if (change === "disable") {
    const set = { disabled_at: now, invitation: null, invited_until: null };
    return { action: "disable", set, changes: states(current, "disabled") };
  }
  if (change === "enable") return { action: "enable", set: { disabled_at: null }, changes: states(current, "enabled") };
  const changes = change.role === person.role ? [] : [{ field: "role", from: person.role, to: change.role }];
  return { action: "edit", set: { role: change.role }, changes };
}

function removesAdmin(change: PersonChange): boolean {
  return change !== "enable" && (typeof change === "string" || change.role !== "admin");
}

async function isLastAdmin(db: Kysely<Tables>, person: Person, now: number): Promise<boolean> {
  const rows = await db.selectFrom("person").selectAll().where("role", "=", "admin").execute();
  const admins = rows.map(toPerson).filter((admin) => personState(admin, now) === "active");
  return admins.length === 1 && admins[0]!.name === person.name;
}

/** Creates an invitation, which replaces any earlier one. The old password works until the user chooses a new one. */
export async function invitePerson(database: Database, name: string, by: By): Promise<{ secret: string } | { refusal: string }> {
  return database.edit(PEOPLE_LOCK, async (db) => {
    const person = await findForChange(db, name);
    if (person === undefined) return { refusal: `User '${name}' not found` };
    if (person.disabledAt !== undefined) return { refusal: "This user is disabled. Enable the user first." };
    if (person.source !== "local") return { refusal: "This user signs in with single sign-on and has no password here." };
    const { secret, ...invitation } = newInvitation(by.at);
    await db.updateTable("person").set(invitation).where("name", "=", person.name).execute();
    const until = new Date(invitation.invited_until).toISOString();
    const changes = [{ field: "invited until", from: "", to: until }];
    await createAudit(db, { ...by, action: "invite", subject: personSubject(person.name), changes });
    return { secret };
  });
}

/** Returns the user whose invitation has this secret and has not expired. */
export async function findInvited({ read }: Database, secret: string, now: number): Promise<Person | undefined> {
  const row = await read.selectFrom("person").selectAll().where("invitation", "=", hashSecret(secret)).executeTakeFirst();
  const isCurrent = row !== undefined && row.disabled_at === null && (row.invited_until ?? 0) > now;
  return isCurrent ? toPerson(row) : undefined;
}

/** Sets the password and deletes the invitation. Returns undefined if the invitation is no longer valid. `password` is a hash. */
export async function acceptInvitation(
  database: Database,
  { secret, password }: { secret: string; password: string },
  by: Omit<By, "actor">,
): Promise<Person | undefined> {
  return database.edit(PEOPLE_LOCK, async (db) => {
    const row = await db.selectFrom("person").selectAll().where("invitation", "=", hashSecret(secret)).executeTakeFirst();
    if (row === undefined || row.disabled_at !== null || (row.invited_until ?? 0) <= by.at) return undefined;
    await setPassword(db, { name: row.name, password }, { ...by, actor: row.name });
    return toPerson(row);
  });
}

/** Changes the user's password and ends all of the user's sessions. `password` is a hash. */
export async function changePassword(database: Database, person: { name: string; password: string }, by: By): Promise<void> {
  await database.edit(PEOPLE_LOCK, (db) => setPassword(db, person, by));
}

async function setPassword(db: Kysely<Tables>, { name, password }: { name: string; password: string }, by: By): Promise<void> {
  const set = { password, password_at: by.at, invitation: null, invited_until: null };
  await db.updateTable("person").set(set).where("name", "=", name).execute();
  await db.deleteFrom("session").where("person", "=", name).execute();
  await createAudit(db, { ...by, action: "change password", subject: personSubject(name), changes: [] });
}

async function findForChange(db: Kysely<Tables>, name: string): Promise<Person | undefined> {
  const row = await db.selectFrom("person").selectAll().where("name", "=", personName(name)).executeTakeFirst();
  return row && toPerson(row);
}
