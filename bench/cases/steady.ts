import type { Bench } from "../bench.ts";
import { measure } from "../support/load.ts";
import { deltaMessage, linesMessage } from "../support/messages.ts";
import { addSender, CREDENTIAL, residentMegabytes, startService } from "../support/service.ts";
import { longestWait } from "../support/wait.ts";

const MEMORY_MB = 200;
const STALL_MS = 50;
const PROPERTIES = 50;

/** The longest that a page waits while full years come in line by line, and the memory after mixed load. */
export const steady: Bench = {
  name: "steady",
  engines: ["SQLite", "PostgreSQL"],
  quick: ["SQLite"],
  async run({ pace, engine, seeded }) {
    const store = await seeded({ properties: PROPERTIES, categories: 10, plans: 3, nights: 60 });
    const headers = { "content-type": "application/xml", ...addSender(store, "bench") };
    const service = await startService(store);
    try {
      const large = Array.from({ length: 16 }, (_, turn) => ({
        method: "POST" as const,
        path: "/channel",
        headers,
        body: linesMessage(turn, turn),
      }));
      const load = { url: service.url, connections: 1, status: 200, contains: "<Success/>" };
      await measure({ ...load, requests: large, seconds: pace.warmUpSeconds });
      const [stall] = await Promise.all([
        longestWait({ url: `${service.url}/property`, headers: CREDENTIAL, seconds: pace.seconds }),
        measure({ ...load, requests: large, seconds: pace.seconds }),
      ]);
      await mixedLoad(service.url, headers, pace.seconds);
      const memory = residentMegabytes(service.pid) ?? Number.NaN;
      const allowed = (name: string, value: number, { unit, limit }: { unit: string; limit: number }) => ({
        name,
        engine,
        measured: `${value.toFixed(0)} ${unit}`,
        reference: `${limit} ${unit} allowed`,
        ratio: value / limit,
        spread: 0,
        target: { at: "most" as const, value: 1 },
      });
      return [
        allowed("longest wait of a page during 3,650-line messages", stall, { unit: "ms", limit: STALL_MS }),
        allowed("resident memory after mixed load", memory, { unit: "MB", limit: MEMORY_MB }),
      ];
    } finally {
      await service.stop();
    }
  },
};

async function mixedLoad(url: string, headers: Readonly<Record<string, string>>, seconds: number): Promise<void> {
  const deltas = Array.from({ length: 200 }, (_, turn) => ({
    method: "POST" as const,
    path: "/channel",
    headers,
    body: deltaMessage(turn % PROPERTIES, turn),
  }));
  const pages = ["/property", "/inventories?property=SEED00007", "/rates?property=SEED00007"].map((path) => ({
    method: "GET" as const,
    path,
    headers: CREDENTIAL,
  }));
  await Promise.all([
    measure({ url, requests: deltas, connections: 8, seconds, status: 200, contains: "<Success/>" }),
    measure({ url, requests: pages, connections: 4, seconds, status: 200, contains: "</html>" }),
  ]);
}
