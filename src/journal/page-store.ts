import type { Database } from "../db/database.ts";

export type PageKey = { property: string; kind: string; category: string; lane: string; span: number };

/** The bytes of one page. */
export async function findPage({ read }: Database, { property, kind, category, lane, span }: PageKey): Promise<Uint8Array | undefined> {
  const rate = read.selectFrom("rate_page").select("page").where("plan", "=", lane);
  const inventory = read.selectFrom("inventory_page").select("page").where("room", "=", lane);
  const row = await (kind === "rate"
    ? rate.where((page) => page.and({ property, category, span })).executeTakeFirst()
    : inventory.where((page) => page.and({ property, category, span })).executeTakeFirst());
  return row?.page;
}
