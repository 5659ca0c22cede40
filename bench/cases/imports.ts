import { setTimeout as sleep } from "node:timers/promises";
import { stopwatch } from "../../src/clock.ts";
import type { Bench } from "../bench.ts";
import { limitRow, type Row } from "../support/figures.ts";
import { BEARER, startService } from "../support/service.ts";

const ROWS = 50_000;
const PREVIEW_LIMIT_MS = 5_000;
const IMPORT_LIMIT_MS = 20_000;
const PAGE_LIMIT_MS = 250;
const POLL_MS = 50;

/** Previews and imports a file of 50,000 properties, and measures the slowest page in the meantime. */
export const imports: Bench = {
  name: "imports",
  engines: ["SQLite", "PostgreSQL"],
  quick: [],
  async run({ engine, seeded }) {
    const store = await seeded({ properties: 1, categories: 1, plans: 0, nights: 1, errors: 0, messages: 0 });
    await using service = await startService(store);
    const file = ["code,name,city", ...Array.from({ length: ROWS }, (_, row) => `IMP${row},Hotel ${row},Town ${row % 500}`)].join("\n");
    const preview = await measure(service.url, "/tools/import", { until: "ready", fields: { action: "upload", file: new Blob([file]) } });
    const run = await measure(service.url, preview.url, { until: "done", fields: { action: "import" } });
    const row = (name: string, median: number, limit: number): Row =>
      limitRow(`${name} ${ROWS} properties`, engine, { median, spread: undefined, limit, unit: "ms" });
    return [
      row("preview of", preview.elapsed, PREVIEW_LIMIT_MS),
      row("slowest page during the preview of", preview.slowestPage, PAGE_LIMIT_MS),
      row("import of", run.elapsed, IMPORT_LIMIT_MS),
      row("slowest page during the import of", run.slowestPage, PAGE_LIMIT_MS),
    ];
  },
};

type Step = { until: string; fields: Readonly<Record<string, string | Blob>> };

/** Submits a form and waits until the import reaches the state `until`. Times are in milliseconds. `url` is the URL of the import. */
async function measure(
  origin: string,
  form: string,
  { until, fields }: Step,
): Promise<{ url: string; elapsed: number; slowestPage: number }> {
  const elapsed = stopwatch();
  const stop = new AbortController();
  const slowest = watchPages(origin, stop.signal);
  try {
    const url = await post(`${origin}${form}`, fields);
    while ((await readState(`${origin}${url}`)) !== until) await sleep(POLL_MS);
    const time = elapsed();
    stop.abort();
    return { url, elapsed: time, slowestPage: await slowest };
  } finally {
    stop.abort();
    await slowest;
  }
}

async function watchPages(origin: string, signal: AbortSignal): Promise<number> {
  let slowest = 0;
  while (!signal.aborted) {
    const elapsed = stopwatch();
    const response = await fetch(`${origin}/property`, { headers: { ...BEARER, accept: "text/html" } });
    await response.text();
    slowest = Math.max(slowest, elapsed());
    await sleep(POLL_MS);
  }
  return slowest;
}

/** Returns the URL that the response redirects to. */
async function post(url: string, fields: Step["fields"]): Promise<string> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const response = await fetch(url, { method: "POST", body, redirect: "manual", headers: { ...BEARER, accept: "text/html" } });
  const location = response.headers.get("location");
  if (location === null) throw new Error(`${url} returned ${response.status}: ${await response.text()}`);
  return location;
}

async function readState(url: string): Promise<string> {
  const response = await fetch(url, { headers: { ...BEARER, accept: "application/json" } });
  return ((await response.json()) as { state: string }).state;
}
