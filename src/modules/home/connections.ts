import type { Database } from "../../db/database.ts";
import { listHealth, type SenderHealth } from "../channel/senders/health-store.ts";
import { listCauses, type RefusalCause } from "../channel/senders/refusal-store.ts";

export type SenderConnection = { name: string; health: SenderHealth; refused: number };

/** Refused messages from one connection in the last 24 hours that have the same cause. */
export type SenderCause = { sender: string } & RefusalCause;

export type ConnectionsSummary = { connections: readonly SenderConnection[]; causes: readonly SenderCause[] };

const MAX_SHOWN_SENDERS = 8;
const MAX_SHOWN_CAUSES = 6;

/** Reads each connection's results for the last 24 hours (most refusals first) and the causes of refusals (most frequent first). */
export async function readConnections(database: Database, now: number): Promise<ConnectionsSummary> {
  const health = await listHealth(database, now);
  const connections = [...health]
    .map(([name, one]) => ({ name, health: one, refused: one.hours.reduce((sum, { refused }) => sum + refused, 0) }))
    .toSorted((a, b) => b.refused - a.refused || (b.health.lastAccepted?.received_at ?? 0) - (a.health.lastAccepted?.received_at ?? 0))
    .slice(0, MAX_SHOWN_SENDERS);
  const refusingConnections = connections.filter(({ refused }) => refused > 0);
  const causes = await Promise.all(
    refusingConnections.map(async ({ name: sender }) => withSender(sender, await listCauses(database, { sender, now, days: 1 }))),
  );
  return {
    connections,
    causes: causes
      .flat()
      .toSorted((a, b) => b.count - a.count)
      .slice(0, MAX_SHOWN_CAUSES),
  };
}

function withSender(sender: string, causes: readonly RefusalCause[]): SenderCause[] {
  return causes.map((cause) => ({ sender, ...cause }));
}
