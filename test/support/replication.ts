import { Client } from "pg";
import { until } from "./until.ts";

/** Waits until the standby has replayed everything that the primary has stored. */
export async function waitForReplay(primary: string, standby: string): Promise<void> {
  const { flushed } = await queryOnce<{ flushed: string }>(primary, "select pg_current_wal_flush_lsn() as flushed");
  const caughtUp = `select pg_last_wal_replay_lsn() >= '${flushed}' as done`;
  await until("the standby to catch up", async () => (await queryOnce<{ done: boolean }>(standby, caughtUp)).done);
}

export async function queryOnce<Row>(url: string, query: string): Promise<Row> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(query);
  await client.end();
  return rows[0] as Row;
}
