import type { Database } from "../db/database.ts";
import { prepared } from "../db/prepared.ts";
import type { PersonRow } from "../db/schema.ts";
import { createAudit, type By } from "../records/audit.ts";

/** A named user. `password` is a hash; without one, the person was invited or signs in elsewhere. */
export type Person = {
  name: string;
  role: PersonRow["role"];
  password: string | undefined;
  source: PersonRow["source"];
  invitedUntil: number | undefined;
  createdAt: number;
  passwordAt: number | undefined;
  disabledAt: number | undefined;
};

export const personSubject = (name: string) => `person:${name}`;

/** Names are stored in lower case, so that one person cannot pass for another. */
export function personName(typed: string): string {
  return typed.trim().toLowerCase();
}

export async function findPerson({ read }: Database, name: string): Promise<Person | undefined> {
  const [row] = await personQuery(read, { name: personName(name) });
  return row && toPerson(row);
}

const personQuery = prepared((db, { name }: { name: string }) => db.selectFrom("person").selectAll().where("name", "=", name));

export async function listPeople({ read }: Database): Promise<Person[]> {
  const rows = await read.selectFrom("person").selectAll().orderBy("name").execute();
  return rows.map(toPerson);
}

export async function hasPeople({ read }: Database): Promise<boolean> {
  return (await anyPersonQuery(read, {})).length > 0;
}

const anyPersonQuery = prepared((db) => db.selectFrom("person").select("name").limit(1));

export type NewPerson = { name: string; role: PersonRow["role"]; password?: string | undefined };

/** Returns false if the name is taken. `password` is a hash. */
export async function createPerson(database: Database, { name, role, password }: NewPerson, by: By): Promise<boolean> {
  const row: PersonRow = {
    name: personName(name),
    role,
    password: password ?? null,
    source: "local",
    subject: null,
    invitation: null,
    invited_until: null,
    created_at: by.at,
    password_at: password === undefined ? null : by.at,
    disabled_at: null,
  };
  return database.write.transaction().execute(async (db) => {
    const inserted = await db
      .insertInto("person")
      .values(row)
      .onConflict((conflict) => conflict.column("name").doNothing())
      .executeTakeFirstOrThrow();
    if (inserted.numInsertedOrUpdatedRows === 0n) return false;
    const changes = [{ field: "role", from: "", to: role }];
    await createAudit(db, { ...by, action: "create", subject: personSubject(row.name), changes });
    return true;
  });
}

function toPerson(row: PersonRow): Person {
  return {
    name: row.name,
    role: row.role,
    password: row.password ?? undefined,
    source: row.source,
    invitedUntil: row.invited_until ?? undefined,
    createdAt: row.created_at,
    passwordAt: row.password_at ?? undefined,
    disabledAt: row.disabled_at ?? undefined,
  };
}
