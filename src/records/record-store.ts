import type { Kysely } from "kysely";
import type { Database, Statement } from "../db/database.ts";
import type { Tables } from "../db/schema.ts";
import { runStatements } from "../db/statements.ts";
import { type By, changesBetween, createAudit } from "./audit.ts";
import { outboxStatements } from "./outbox.ts";

export type ChangeAuthor = By;

export type RecordUpdate<Key, Fields> = { key: Key; version: number; fields: Fields };

/** `stored` is the current record. In a conflict, nothing is stored. */
export type UpdateResult<Stored> = { outcome: "updated" | "unchanged" | "conflict"; stored: Stored };

type EditMetadata = { version: number; createdAt: number; updatedAt: number };

type FieldValues = Readonly<Record<string, string | number | boolean | undefined>>;

type RecordKind<Key, Fields, StoredRecord = Key & Fields & EditMetadata> = {
  /** Returns the property to lock during an edit, because a message may write the same record. */
  propertyOf(key: Key): string;
  /** Returns the code of the category or rate plan; empty for a property. */
  partOf(key: Key): { category?: string; plan?: string };
  subjectOf(key: Key): string;
  fields: readonly (keyof Fields & string)[];
  find(db: Kysely<Tables>, key: Key): Promise<StoredRecord | undefined>;
  insert(db: Kysely<Tables>, record: StoredRecord): Promise<void>;
  replace(db: Kysely<Tables>, record: StoredRecord): Promise<void>;
  searchStatements(record: StoredRecord): readonly Statement[];
};

/** Stores each change together with its audit entry and its entry in the change feed. */
export function recordStore<Key extends object, Fields extends FieldValues>(kind: RecordKind<Key, Fields>) {
  type StoredRecord = Key & Fields & EditMetadata;

  function recordChange(db: Kysely<Tables>, key: Key, { at }: ChangeAuthor): Promise<void> {
    return runStatements(db, outboxStatements([{ kind: "record", property: kind.propertyOf(key), ...kind.partOf(key), at }]));
  }

  async function createRecord(database: Database, fields: Key & Fields, by: ChangeAuthor): Promise<StoredRecord> {
    const record = { ...fields, version: 1, createdAt: by.at, updatedAt: by.at };
    await database.edit(kind.propertyOf(record), async (db) => {
      await kind.insert(db, record);
      await runStatements(db, kind.searchStatements(record));
      const changes = changesBetween(undefined, record, kind.fields);
      await createAudit(db, { ...by, action: "create", subject: kind.subjectOf(record), changes });
      await recordChange(db, record, by);
    });
    return record;
  }

  async function updateRecord(database: Database, { key, version, fields }: RecordUpdate<Key, Fields>, by: ChangeAuthor) {
    return database.edit(kind.propertyOf(key), async (db): Promise<UpdateResult<StoredRecord> | undefined> => {
      const before = await kind.find(db, key);
      if (!before) return undefined;
      const record = { ...before, ...fields, version: version + 1, updatedAt: Math.max(by.at, before.updatedAt) };
      const changes = changesBetween(before, record, kind.fields);
      if (changes.length === 0) return { outcome: "unchanged", stored: before };
      if (before.version !== version) return { outcome: "conflict", stored: before };
      await kind.replace(db, record);
      await runStatements(db, kind.searchStatements(record));
      await createAudit(db, { ...by, action: "update", subject: kind.subjectOf(key), changes });
      await recordChange(db, key, by);
      return { outcome: "updated", stored: record };
    });
  }

  return { create: createRecord, update: updateRecord };
}
