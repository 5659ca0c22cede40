import { hash } from "node:crypto";
import type { Database } from "../../../db/database.ts";

type UsedNonce = { sender: string; nonce: string; until: number; now: number };

/** Marks a nonce as used. Returns false if the sender already used it within the time window. Deletes old nonces, to keep the table small. */
export async function useNonce({ write }: Database, { sender, nonce, until, now }: UsedNonce): Promise<boolean> {
  const key = hash("sha256", `${sender}\0${nonce}`, "base64url");
  return write.transaction().execute(async (db) => {
    await db.deleteFrom("sender_nonce").where("until", "<", now).execute();
    const insertedRow = await db
      .insertInto("sender_nonce")
      .values({ hash: key, until })
      .onConflict((conflict) => conflict.column("hash").doNothing())
      .executeTakeFirstOrThrow();
    return insertedRow.numInsertedOrUpdatedRows === 1n;
  });
}
