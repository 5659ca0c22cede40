import type { Kysely } from "kysely";
import type { Database, Statement } from "../db/database.ts";
import type { Tables } from "../db/schema.ts";
import { runStatements } from "../db/statements.ts";
import { type By, changesBetween, createAudit } from "./audit.ts";

export type Change = By;

export type Edit<Key, Fields> = { key: Key; version: number; fields: Fields };

/** `stored` is the current record; a conflict stores nothing. */
export type Update<Thing> = { outcome: "updated" | "unchanged" | "conflict"; stored: Thing };

type Edited = { version: number; createdAt: number; updatedAt: number };

type FieldValues = Readonly<Record<string, string | number | boolean | undefined>>;

type RecordKind<Key, Fields, Thing = Key & Fields & Edited> = {
  /** Its code is the lock, because messages may write the record too. */
  propertyOf(key: Key): string;
  subjectOf(key: Key): string;
  fields: readonly (keyof Fields & string)[];
  find(db: Kysely<Tables>, key: Key): Promise<Thing | undefined>;
  insert(db: Kysely<Tables>, thing: Thing): Promise<void>;
  replace(db: Kysely<Tables>, thing: Thing): Promise<void>;
  searchStatements(thing: Thing): readonly Statement[];
};

/** Stores each change together with its audit entry. */
export function recordStore<Key extends object, Fields extends FieldValues>(kind: RecordKind<Key, Fields>) {
  type Thing = Key & Fields & Edited;

  async function create(database: Database, fields: Key & Fields, by: Change): Promise<Thing> {
    const thing = { ...fields, version: 1, createdAt: by.at, updatedAt: by.at };
    await database.edit(kind.propertyOf(thing), async (db) => {
      await kind.insert(db, thing);
      await runStatements(db, kind.searchStatements(thing));
      const changes = changesBetween(undefined, thing, kind.fields);
      await createAudit(db, { ...by, action: "create", subject: kind.subjectOf(thing), changes });
    });
    return thing;
  }

  async function update(database: Database, { key, version, fields }: Edit<Key, Fields>, by: Change) {
    return database.edit(kind.propertyOf(key), async (db): Promise<Update<Thing> | undefined> => {
      const before = await kind.find(db, key);
      if (!before) return undefined;
      const thing = { ...before, ...fields, version: version + 1, updatedAt: Math.max(by.at, before.updatedAt) };
      const changes = changesBetween(before, thing, kind.fields);
      if (changes.length === 0) return { outcome: "unchanged", stored: before };
      if (before.version !== version) return { outcome: "conflict", stored: before };
      await kind.replace(db, thing);
      await runStatements(db, kind.searchStatements(thing));
      await createAudit(db, { ...by, action: "update", subject: kind.subjectOf(key), changes });
      return { outcome: "updated", stored: thing };
    });
  }

  return { create, update };
}
