import type { Kysely } from "kysely";
import type { Database } from "../db/database.ts";
import type { PersonRow, Tables } from "../db/schema.ts";
import { type By, createAudit } from "../records/audit.ts";
import { SignInRefusal } from "../web/guard/single-sign-on.ts";
import type { Role, User } from "../web/guard/user.ts";
import { PEOPLE_LOCK, personName, personSubject } from "./people.ts";

/** `subject` is the issuer and subject. `names` are candidates for a new user, best first. Without a `role`, the stored role is kept. */
export type Identity = { subject: string; names: readonly string[]; role: Role | undefined };

export async function findOrCreateIdentity(database: Database, identity: Identity, by: Omit<By, "actor">): Promise<User> {
  return database.edit(PEOPLE_LOCK, async (db) => {
    const row = await db.selectFrom("person").selectAll().where("subject", "=", identity.subject).executeTakeFirst();
    if (row === undefined) return createIdentity(db, identity, by);
    if (row.disabled_at !== null) throw new SignInRefusal("Your account is disabled. Contact an administrator.", `${row.name} is disabled`);
    return setRole(db, row, { by, role: identity.role ?? row.role });
  });
}

async function createIdentity(
  db: Kysely<Tables>,
  { subject, names: [wanted], role = "viewer" }: Identity,
  by: Omit<By, "actor">,
): Promise<User> {
  if (wanted === undefined) {
    throw new SignInRefusal(
      "The identity provider sent no valid user name or email address. Ask an administrator to correct it there.",
      "preferred_username and email are missing, reserved or not valid as a user name",
    );
  }
  const name = await findFreeName(db, personName(wanted));
  const emptyColumns = { password: null, invitation: null, invited_until: null, password_at: null, seen_at: null, disabled_at: null };
  const row: PersonRow = { ...emptyColumns, name, role, source: "oidc", subject, created_at: by.at };
  await db.insertInto("person").values(row).execute();
  const changes = [
    { field: "role", from: "", to: role },
    { field: "subject", from: "", to: subject },
  ];
  await createAudit(db, { ...by, actor: name, action: "create", subject: personSubject(name), changes });
  return { name, role, kind: "person" };
}

type RoleChange = { role: Role; by: Omit<By, "actor"> };

async function setRole(db: Kysely<Tables>, { name, role: from }: PersonRow, { role, by }: RoleChange): Promise<User> {
  if (role !== from) {
    await db.updateTable("person").set({ role }).where("name", "=", name).execute();
    const changes = [{ field: "role", from, to: role }];
    await createAudit(db, { ...by, actor: name, action: "edit", subject: personSubject(name), changes });
  }
  return { name, role, kind: "person" };
}

const MAX_BASE_NAME_LENGTH = 90;

/** Appends a number if the name is taken, because two accounts with the same name may belong to different people. */
async function findFreeName(db: Kysely<Tables>, wanted: string): Promise<string> {
  const base = wanted.slice(0, MAX_BASE_NAME_LENGTH);
  const isTaken = async (name: string) =>
    (await db.selectFrom("person").select("name").where("name", "=", name).executeTakeFirst()) !== undefined;
  let name = base;
  for (let number = 2; await isTaken(name); number++) name = `${base}-${number}`;
  return name;
}
