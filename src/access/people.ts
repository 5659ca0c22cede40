import type { Database } from "../db/database.ts";
import { prepareStatement } from "../db/prepared.ts";
import type { PersonRow } from "../db/schema.ts";
import { createAudit, type By } from "../records/audit.ts";
import { newInvitation } from "./invitations.ts";

/** A named user. `password` is a hash; undefined for users who were invited or use single sign-on. */
export type Person = {
  name: string;
  role: PersonRow["role"];
  password: string | undefined;
  source: PersonRow["source"];
  invitedUntil: number | undefined;
  createdAt: number;
  passwordAt: number | undefined;
  seenAt: number | undefined;
  disabledAt: number | undefined;
};

export type PersonState = "active" | "invited" | "invitation expired" | "disabled";

/** Lock for changes to users, so that two administrators can't remove each other at the same time. */
export const PEOPLE_LOCK = "roomrack: people";

export const personSubject = (name: string) => `person:${name}`;

/** Lowercases names, so that users can't impersonate each other. */
export function personName(typed: string): string {
  return typed.trim().normalize("NFC").toLowerCase();
}

const NAME_PATTERN = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._@+-]{0,99}$/u;

/** Names that the audit log uses for shared passwords and open access. */
const RESERVED_NAMES = ["admin", "viewer", "open"];

/** Returns the reason why a user can't have this name, or undefined. */
export function nameFault(typed: string): string | undefined {
  const name = personName(typed);
  if (RESERVED_NAMES.includes(name)) return `'${name}' is reserved. Choose another name.`;
  return NAME_PATTERN.test(name) ? undefined : "Enter a name of up to 100 letters, digits and . _ @ + - that starts with a letter or digit";
}

export function personState({ password, source, disabledAt, invitedUntil }: Person, now: number): PersonState {
  if (disabledAt !== undefined) return "disabled";
  if (password !== undefined || source === "oidc") return "active";
  return (invitedUntil ?? 0) > now ? "invited" : "invitation expired";
}

export async function findPerson({ read }: Database, name: string): Promise<Person | undefined> {
  const [row] = await personQuery(read, { name: personName(name) });
  return row && toPerson(row);
}

const personQuery = prepareStatement((db, { name }: { name: string }) => db.selectFrom("person").selectAll().where("name", "=", name));

export async function listPeople({ read }: Database): Promise<Person[]> {
  const rows = await read.selectFrom("person").selectAll().orderBy("name").execute();
  return rows.map(toPerson);
}

export async function hasPeople({ read }: Database): Promise<boolean> {
  return (await anyPersonQuery(read, {})).length > 0;
}

const anyPersonQuery = prepareStatement((db) => db.selectFrom("person").select("name").limit(1));

export type NewPerson = { name: string; role: PersonRow["role"] };

/** Creates a user without a password. Returns the invitation secret, or undefined if the name is taken. */
export async function createPerson(database: Database, { name: typed, role }: NewPerson, by: By): Promise<string | undefined> {
  const { secret, ...invitation } = newInvitation(by.at);
  const name = personName(typed);
  const emptyColumns = { password: null, subject: null, password_at: null, seen_at: null, disabled_at: null };
  const row: PersonRow = { ...emptyColumns, ...invitation, name, role, source: "local", created_at: by.at };
  return database.edit(PEOPLE_LOCK, async (db) => {
    const insertedRow = await db
      .insertInto("person")
      .values(row)
      .onConflict((conflict) => conflict.column("name").doNothing())
      .executeTakeFirstOrThrow();
    if (insertedRow.numInsertedOrUpdatedRows === 0n) return undefined;
    await createAudit(db, { ...by, action: "create", subject: personSubject(name), changes: [{ field: "role", from: "", to: role }] });
    return secret;
  });
}

export async function recordSeen({ write }: Database, name: string, now: number): Promise<void> {
  await write.updateTable("person").set({ seen_at: now }).where("name", "=", name).execute();
}

export function toPerson(row: PersonRow): Person {
  return {
    name: row.name,
    role: row.role,
    password: row.password ?? undefined,
    source: row.source,
    invitedUntil: row.invited_until ?? undefined,
    createdAt: row.created_at,
    passwordAt: row.password_at ?? undefined,
    seenAt: row.seen_at ?? undefined,
    disabledAt: row.disabled_at ?? undefined,
  };
}
