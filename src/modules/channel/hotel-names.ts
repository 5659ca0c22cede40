import type { Database } from "../../db/database.ts";

/** The code of the one active property of exactly this name; `undefined` when there is none or more than one. */
export async function findHotelByName({ read }: Database, name: string): Promise<string | undefined> {
  const rows = await read.selectFrom("property").select("code").where("name", "=", name).where("status", "=", "active").limit(2).execute();
  return rows.length === 1 ? rows[0]!.code : undefined;
}
