import type { Bench } from "../bench.ts";
import { limitRow } from "../support/figures.ts";
import { type Headers, measure } from "../support/load.ts";
import { channelPost, deltaMessage, linesMessage, STORED } from "../support/messages.ts";
import { addSender, CREDENTIAL, residentMegabytes, startService } from "../support/service.ts";
import { longestWait } from "../support/wait.ts";

const MEMORY_MB = 200;
const STALL_MS = 50;
const PROPERTIES = 50;
/** What is measured once has no spread. */
const ONCE = { spread: undefined };

/** The longest that a page waits while full years come in line by line, and the memory after mixed load. */
export const steady: Bench = {
  name: "steady",
  engines: ["SQLite", "PostgreSQL"],
  quick: ["SQLite"],
  async run({ pace, engine, seeded }) {
    const store = await seeded({ properties: PROPERTIES, categories: 10, plans: 3, nights: 60 });
    const headers = addSender(store);
    await using service = await startService(store);
    const large = Array.from({ length: 16 }, (_, turn) => channelPost(linesMessage(turn, turn), headers));
    const load = { ...STORED, url: service.url, requests: large, connections: 1 };
    await measure({ ...load, seconds: pace.warmUpSeconds });
    const [stall] = await Promise.all([
      longestWait({ url: `${service.url}/property`, headers: CREDENTIAL, seconds: pace.seconds }),
      measure({ ...load, seconds: pace.seconds }),
    ]);
    await mixedLoad(service.url, headers, pace.seconds);
    const memory = residentMegabytes(service.pid) ?? Number.NaN;
    return [
      limitRow("longest wait of a page during 3,650-line messages", engine, { ...ONCE, median: stall, limit: STALL_MS, unit: "ms" }),
      limitRow("resident memory after mixed load", engine, { ...ONCE, median: memory, limit: MEMORY_MB, unit: "MB" }),
    ];
  },
};

async function mixedLoad(url: string, headers: Headers, seconds: number): Promise<void> {
  const deltas = Array.from({ length: 200 }, (_, turn) => channelPost(deltaMessage(turn % PROPERTIES, turn), headers));
  const pages = ["/property", "/inventories?property=SEED00007", "/rates?property=SEED00007"].map((path) => ({
    method: "GET" as const,
    path,
    headers: CREDENTIAL,
  }));
  await Promise.all([
    measure({ ...STORED, url, requests: deltas, connections: 8, seconds }),
    measure({ url, requests: pages, connections: 4, seconds, status: 200, contains: "</html>" }),
  ]);
}
