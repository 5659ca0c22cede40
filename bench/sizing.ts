import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "../src/db/database.ts";
import { openDatabase } from "../src/db/open.ts";
import { startDurablePostgres } from "../test/support/postgres-server.ts";
import { childrenOf, cpuMilliseconds, parentOf } from "./support/cpu-time.ts";
import { type Headers, measure } from "./support/load.ts";
import { channelPost, countsMessage, linesMessage, STORED, yearMessage } from "./support/messages.ts";
import { endProcesses } from "./support/own-process.ts";
import { addSender, command, newStore, residentMegabytes, startService, type Store } from "./support/service.ts";
import { countOf, readSizes } from "./support/sizes.ts";

/**
 * `npm run sizing`: measures the disk space and CPU time of properties and messages on each engine, for docs/scaling.md. CPU time includes
 * the service and PostgreSQL but not the load generator, so other programs on the machine have little effect on it. Requires Linux.
 */
const AMOUNTS = { properties: 500, categories: 10, plans: 3, nights: 400 };
/**
 * Each kind of message is sent in two runs: one to warm up and one to measure. A run lasts at least this long, and continues until
 * `messages` messages are stored.
 */
const SECONDS = 10;
const SETTLE_MS = 3_000;
const KINDS = [
  { name: "1 to 3 nights", message: shortMessage, targets: 500, connections: 8, messages: 3_000 },
  { name: "10 ranges of 365 nights", message: yearMessage, targets: 50, connections: 2, messages: 300 },
  { name: "3,650 lines of one night", message: linesMessage, targets: 10, connections: 1, messages: 40 },
];
type Kind = (typeof KINDS)[number];

const ENGINES = ["SQLite", "PostgreSQL"] as const;
const [named] = process.argv.slice(2);
const engines = ENGINES.filter((engine) => named === undefined || named === engine);
if (engines.length === 0) {
  console.error(`Unknown engine '${named}'. Usage: npm run sizing -- [${ENGINES.join(" | ")}]`);
  process.exit(2);
}
const postgres = await startDurablePostgres();
try {
  for (const engine of engines) {
    const store = newStore(engine, engine === "PostgreSQL" ? postgres.url : undefined);
    try {
      await measureStore(store);
    } finally {
      store.remove();
    }
  }
} finally {
  endProcesses();
  postgres.stop();
}

async function measureStore(store: Store): Promise<void> {
  console.log(`\n${store.engine}`);
  command(store, "seed", ...Object.entries(AMOUNTS).flatMap(([name, amount]) => [`--${name}`, String(amount)]));
  const headers = addSender(store);
  const database = await openDatabase(store.env.DATABASE_URL, store.folder);
  try {
    const { records, nights } = await readSizes(database);
    row("bytes for a property's records (10 categories, 3 rate plans)", records / AMOUNTS.properties);
    row("bytes for a property's 400 nights (counts and prices)", nights / AMOUNTS.properties);
    await using service = await startService(store);
    for (const kind of KINDS) await measureKind({ database, service, headers }, kind);
    row("MB of memory used by the service", residentMegabytes(service.pid) ?? Number.NaN);
  } finally {
    await database.close();
  }
}

/** Returns a message whose counts depend on `turn`, so that every message changes something. */
function shortMessage(property: number, turn: number): string {
  const first = (property * 7) % 300;
  return countsMessage(property, [{ category: property % 10, first, last: first + (property % 3), count: turn % 10 }]);
}

type Measured = { database: Database; service: { url: string; pid: number }; headers: Headers };

async function measureKind(
  { database, service, headers }: Measured,
  { name, message, targets, connections, messages: wanted }: Kind,
): Promise<void> {
  const bodies = [0, 1].flatMap((round) => Array.from({ length: targets }, (_, property) => message(property, property + round)));
  const requests = bodies.map((body) => channelPost(body, headers));
  const load = { ...STORED, url: service.url, requests, connections, seconds: SECONDS };
  const sendAll = async () => {
    const start = await countOf(database, "message");
    do await measure(load);
    while ((await countOf(database, "message")) < start + wanted);
    await sleep(SETTLE_MS);
  };
  await sendAll();
  const before = await readState(database, service.pid);
  await sendAll();
  const after = await readState(database, service.pid);
  const messages = after.messages - before.messages;
  const perMessage = (read: (state: State) => number) => (read(after) - read(before)) / messages;
  const cpu = perMessage((state) => state.serviceMs + state.databaseMs);
  console.log(`  ${name} (${messages} messages, ${(requests[0]!.body!.length / 1_000).toFixed(1)} kB)`);
  row(
    "ms of CPU time in the service",
    perMessage((state) => state.serviceMs),
  );
  row(
    "ms of CPU time in PostgreSQL",
    perMessage((state) => state.databaseMs),
  );
  row("messages per second per core", 1_000 / cpu);
  row(
    "bytes in the message log",
    perMessage((state) => state.sizes.log),
  );
  row(
    "bytes of night history",
    perMessage((state) => state.sizes.history),
  );
  row("bytes per change in the feed", (after.sizes.changes - before.sizes.changes) / (after.changes - before.changes));
  row(
    "bytes of write-ahead log",
    perMessage((state) => state.wal),
  );
}

type State = Awaited<ReturnType<typeof readState>>;

async function readState(database: Database, pid: number) {
  const server = await readServer(database);
  return {
    ...server,
    serviceMs: cpuMilliseconds(pid),
    messages: await countOf(database, "message"),
    changes: await countOf(database, "change"),
    sizes: await readSizes(database),
  };
}

/** Returns the CPU time of all processes of the PostgreSQL server, and the bytes of its write-ahead log. */
async function readServer(database: Database): Promise<{ databaseMs: number; wal: number }> {
  const { engine } = await database.describe();
  if (engine === "SQLite") return { databaseMs: 0, wal: 0 };
  const query = sql<{ pid: number; wal: number }>`select pg_backend_pid() as pid, pg_current_wal_insert_lsn() - '0/0'::pg_lsn as wal`;
  const { rows } = await query.execute(database.read);
  const { pid, wal } = rows[0]!;
  const postmaster = parentOf(pid);
  const databaseMs = [postmaster, ...childrenOf(postmaster)].reduce((sum, one) => sum + cpuMilliseconds(one), 0);
  return { databaseMs, wal: Number(wal) };
}

function row(label: string, value: number): void {
  console.log(`    ${label.padEnd(66)} ${value.toFixed(value < 100 ? 2 : 0).padStart(10)}`);
}
