import assert from "node:assert/strict";
import { test } from "node:test";
import { eachEngine } from "./support/databases.ts";
import { type Serving, serve } from "./support/process.ts";
import { until } from "./support/until.ts";

const ROWS = 6_000;
const FILE = ["code,name", ...Array.from({ length: ROWS }, (_, index) => `K${index},Hotel ${index}`)].join("\n");

/** A browser that keeps its cookie and the token of the last page. */
class Browser {
  readonly #origin: string;
  #cookie = "";
  #token = "";

  constructor(origin: string) {
    this.#origin = origin;
  }

  async get(url: string): Promise<string> {
    const response = await fetch(`${this.#origin}${url}`, { headers: { cookie: this.#cookie } });
    this.#cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? this.#cookie;
    const text = await response.text();
    this.#token = /name="_csrf" value="([^"]+)"/.exec(text.slice(text.indexOf("<main")))?.[1] ?? this.#token;
    return text;
  }

  post(url: string, fields: Readonly<Record<string, string>>): Promise<Response> {
    const body = new FormData();
    for (const [name, value] of Object.entries({ _csrf: this.#token, ...fields })) body.set(name, value);
    return fetch(`${this.#origin}${url}`, { method: "POST", body, redirect: "manual", headers: { cookie: this.#cookie } });
  }

  async json<T>(url: string): Promise<T> {
    return (await fetch(`${this.#origin}${url}`, { headers: { accept: "application/json" } })).json() as Promise<T>;
  }
}

eachEngine("a killed service", (_open, makePlace) => {
  test("a killed service never leaves a partial import", async () => {
    const { url, folder } = await makePlace();
    const settings = { DATA_DIR: folder, ...(url !== undefined && { DATABASE_URL: url }), NODE_ENV: "development" };
    let service = await serve(settings);
    const { browser, url: address } = await prepare(service);
    browser.post(address, { action: "import" }).catch(() => {});
    await untilImporting(browser, address);
    await service.stop("SIGKILL");
    service = await serve(settings);
    const restarted = new Browser(service.origin);
    const { total } = await restarted.json<{ total: number }>("/property");
    const { state } = await restarted.json<{ state: string }>(address);
    assert.deepEqual([total > 0, total], state === "done" ? [true, total] : [false, 0]);
    const { counts } = await restarted.json<{ counts: { new: number } }>(address);
    assert.equal(counts.new, ROWS);
    await service.stop();
  });
});

/** Polls without a pause, because the transaction may take only a few hundred milliseconds. */
async function untilImporting(browser: Browser, url: string): Promise<void> {
  for (;;) {
    const { state, progress } = await browser.json<{ state: string; progress: number | null }>(url);
    if (state === "done" || (state === "importing" && (progress ?? 0) > 0)) return;
  }
}

async function prepare(service: Serving): Promise<{ browser: Browser; url: string }> {
  const browser = new Browser(service.origin);
  await browser.get("/tools/import");
  const { status, headers } = await browser.post("/tools/import", { action: "upload", text: FILE });
  assert.equal(status, 303);
  const url = headers.get("location")!;
  await until(
    () => "the preview",
    async () => (await browser.json<{ state: string }>(url)).state === "ready",
  );
  await browser.get(url);
  return { browser, url };
}
