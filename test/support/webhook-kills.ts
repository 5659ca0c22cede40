import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { openDatabase } from "../../src/db/open.ts";
import { formatCursor } from "../../src/journal/feed/cursor.ts";
import { findTipCursor } from "../../src/journal/feed/store.ts";
import { createWebhook } from "../../src/webhooks/store.ts";
import { killRepeatedly, type KillPlan, type KillReport } from "./kills.ts";
import { type Received, Receiver } from "./receiver.ts";
import { BY_TEST } from "./senders.ts";

const MAX_ANSWER_MS = 1_000;
const POLL_MS = 50;

export type WebhookKillReport = KillReport & { calls: number; events: number };

type Range = { after: string; cursor: string };

/**
 * Kills a service repeatedly while it delivers webhooks, and checks that all of them arrive: the ranges of changes that each webhook
 * received must be contiguous, from its creation to the last change.
 */
export async function killDuringDelivery(plan: KillPlan, webhooks: number): Promise<WebhookKillReport> {
  await using receiver = await Receiver.start();
  // When the service is killed, some calls are still in progress and others have ended.
  receiver.respond = (response) => void setTimeout(() => response.writeHead(204).end(), Math.random() * MAX_ANSWER_MS);
  const settings = { ...plan.settings, WEBHOOK_NETWORKS: "127.0.0.1" };
  const { DATABASE_URL, DATA_DIR } = plan.settings;
  const database = await openDatabase(DATABASE_URL, DATA_DIR!);
  const start = formatCursor(await findTipCursor(database));
  const secrets = new Map<string, string>();
  for (let index = 0; index < webhooks; index++) {
    const url = `${receiver.url}/${index}`;
    const created = await createWebhook(database, { name: `webhook ${index}`, url, alerts: false }, BY_TEST);
    secrets.set(new URL(url).pathname, created!.secret);
  }
  const beforeKill = async () => {
    const before = receiver.received.length;
    while (receiver.received.length === before) await sleep(POLL_MS);
    await sleep(Math.random() * MAX_ANSWER_MS);
  };
  const beforeStop = async () => {
    const end = formatCursor(await findTipCursor(database));
    while (!arrived(receiver.received, { webhooks, end })) await sleep(POLL_MS);
    while ((await unfinished()) > 0) await sleep(POLL_MS);
  };
  const unfinished = async () =>
    (await database.read.selectFrom("webhook_delivery").select("id").where("next_at", "is not", null).execute()).length;
  const { acknowledged, lost } = await killRepeatedly({ ...plan, settings, beforeKill, beforeStop });
  const missing = [...secrets].flatMap(([path, secret]) =>
    missingIn(
      receiver.received.filter((call) => call.path === path),
      { start, secret },
    ),
  );
  const rows = await database.read.selectFrom("webhook_delivery").select(["event", "state"]).execute();
  await database.close();
  const events = new Set(receiver.received.map(({ headers }) => headers["webhook-id"]));
  const never = rows
    .filter(({ event, state }) => !events.has(event) || state !== "delivered")
    .map(({ event, state }) => `${event}: ${state}`);
  return { acknowledged, lost: [...lost, ...missing, ...never], calls: receiver.received.length, events: events.size };
}

function arrived(received: readonly Received[], { webhooks, end }: { webhooks: number; end: string }): boolean {
  return new Set(received.filter(({ body }) => rangeIn(body).cursor === end).map(({ path }) => path)).size === webhooks;
}

/** Reports a gap between `start` and the last range, if there is one. Throws if a signature is wrong. */
function missingIn(calls: readonly Received[], { start, secret }: { start: string; secret: string }): string[] {
  const verifier = new Webhook(secret);
  const next = new Map<string, string>();
  for (const { body, headers } of calls) {
    // Checks the signature, but not its age, because the calls were made minutes ago.
    const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
    const signature = verifier.sign(headers["webhook-id"]!, at, body);
    if (signature !== headers["webhook-signature"]) throw new Error(`The signature of ${headers["webhook-id"]} is wrong`);
    const { after, cursor } = rangeIn(body);
    next.set(after, cursor);
  }
  let end: string | undefined = start;
  for (let joined = 0; joined < next.size; joined++) end = end && next.get(end);
  return end === undefined ? [`changes between the calls to ${calls[0]!.path}`] : [];
}

function rangeIn(body: string): Range {
  return (JSON.parse(body) as { data: Range }).data;
}
