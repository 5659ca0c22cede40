/**
 * Keeps a copy of every night: loads a snapshot, then follows the change feed. Prints the number of nights whenever the copy is current.
 * Run it with Node 26 or later: `ROOMRACK=https://rooms.example.com TOKEN=… node booking-engine.ts`.
 */
const { ROOMRACK = "http://localhost:3000", TOKEN = "" } = process.env;
const DAY_MS = 86_400_000;
const LONGEST_WAIT_SECONDS = 30;

type Range = { first: string; last: string; values?: Record<string, unknown> };
type Row = { property: string; kind: string; category?: string; room?: string; plan?: string; nights?: Range[] };
type Feed = { changes: Row[]; cursor: string; more: boolean };

/** The values of each night. Store them, and the cursor, in your database in one transaction. */
const nights = new Map<string, Record<string, unknown>>();

const waitFor = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

/** Repeats a request that was refused for a while or that failed. An expired cursor has status 410. */
async function ask(path: string): Promise<Response> {
  for (let seconds = 1; ; seconds = Math.min(seconds * 2, LONGEST_WAIT_SECONDS)) {
    const answer = await fetch(ROOMRACK + path, { headers: { authorization: `Bearer ${TOKEN}` } }).catch(() => undefined);
    if (answer?.ok || answer?.status === 410) return answer;
    if (answer && answer.status < 500 && answer.status !== 429) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    await waitFor(Number(answer?.headers.get("retry-after")) || seconds);
  }
}

function apply({ property, kind, category, room, plan, nights: ranges = [] }: Row): void {
  for (const { first, last, values = {} } of ranges) {
    for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS) {
      const key = JSON.stringify([property, kind, category, room, plan, new Date(at).toISOString().slice(0, 10)]);
      if (Object.keys(values).length === 0) nights.delete(key);
      else nights.set(key, values);
    }
  }
}

/** Returns the cursor of the snapshot that was loaded first, so that no change is missed. */
async function loadSnapshot(): Promise<string> {
  nights.clear();
  const cursors: string[] = [];
  for (const path of ["/inventories?format=ndjson", "/rates?format=ndjson"]) {
    const lines = (await (await ask(path)).text()).trimEnd().split("\n");
    const rows = lines.map((line) => JSON.parse(line) as Row & { cursor?: string });
    cursors.push(rows.pop()!.cursor!);
    for (const row of rows) apply(row);
  }
  return cursors[0]!;
}

let cursor = await loadSnapshot();
for (;;) {
  const answer = await ask(`/changes?after=${encodeURIComponent(cursor)}&include=values&wait=${LONGEST_WAIT_SECONDS}`);
  if (answer.status === 410) {
    cursor = await loadSnapshot();
    continue;
  }
  const feed = (await answer.json()) as Feed;
  for (const change of feed.changes) apply(change);
  cursor = feed.cursor;
  if (!feed.more) process.stdout.write(`${nights.size} nights\n`);
}
