/** Removes the write-ahead log or the shared-memory index while the service runs. */
import assert from "node:assert/strict";
import { copyFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { createProperty, makeDataFolder, serve, type Serving } from "./support/process.ts";
import { until } from "./support/until.ts";

const SENDERS = 4;
const BEFORE = 30;
const REFUSED_AFTER = 10;

const DAMAGES: Record<string, (file: string) => void> = {
  "-wal file is deleted": (file) => rmSync(`${file}-wal`),
  "-wal file is moved": (file) => renameSync(`${file}-wal`, `${file}.away`),
  "-wal file is replaced": (file) => {
    writeFileSync(`${file}.other`, "x".repeat(10_000));
    renameSync(`${file}.other`, `${file}-wal`);
  },
  "-shm file is deleted": (file) => rmSync(`${file}-shm`),
};

for (const [what, damage] of Object.entries(DAMAGES)) {
  test(`explains why it refuses messages, and loses no acknowledged data, if the ${what} under load`, async () => {
    const { folder, file } = makeFile();
    const service = await serve({ DATA_DIR: folder });
    const load = startLoad(service);
    await load.acknowledges(BEFORE);
    damage(file);
    await load.refuses();
    await service.stop("SIGKILL");
    await load.ended;
    assert.deepEqual(load.later, Array(load.later.length).fill(503));
    const again = await serve({ DATA_DIR: folder });
    const kept = await keptTokens(again, load.acknowledged.length);
    const reason = await (await fetch(`${again.origin}/tools/errors`)).text();
    await again.stop();
    assert.deepEqual(new Set(load.acknowledged).difference(kept), new Set());
    assert.match(reason, new RegExp(`roomrack\\.sqlite${what.slice(0, 4)} is no longer the file that was opened`));
  });
}

test("saves the contents of the -wal file if it is deleted while the service is idle", async () => {
  const { folder, file } = makeFile();
  const service = await serve({ DATA_DIR: folder });
  await createProperty(service.origin);
  rmSync(`${file}-wal`);
  await until("the property in the database", () => hasProperty(file));
  await service.stop("SIGKILL");
  const again = await serve({ DATA_DIR: folder });
  assert.equal((await fetch(`${again.origin}/property/ALP`)).status, 200);
  await again.stop();
});

function makeFile() {
  const folder = makeDataFolder();
  return { folder, file: join(folder, "roomrack.sqlite") };
}

function startLoad({ origin }: Serving) {
  const acknowledged: string[] = [];
  const later: number[] = [];
  let [refused, count] = [false, 0];
  const post = async () => {
    const [token, isLater] = [`token-${count++}`, refused];
    const body = `<OTA_PingRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0" EchoToken="${token}"><EchoData>x</EchoData></OTA_PingRQ>`;
    const answer = await fetch(`${origin}/channel`, { method: "POST", body });
    const text = await answer.text();
    if (text.includes("<Success/>")) acknowledged.push(token);
    refused ||= answer.status === 503;
    if (isLater) later.push(answer.status);
  };
  const send = async () => {
    for (;;) await post();
  };
  const ended = Promise.allSettled(Array.from({ length: SENDERS }, send));
  return {
    acknowledged,
    later,
    ended,
    acknowledges: (messages: number) => until("acknowledged messages", () => acknowledged.length >= messages),
    refuses: () => until("refused messages", () => later.length >= REFUSED_AFTER),
  };
}

async function keptTokens({ origin }: Serving, atLeast: number): Promise<Set<string>> {
  const tokens = new Set<string>();
  for (let before = ""; tokens.size <= atLeast + 1_000;) {
    const answer = await fetch(`${origin}/dev/logs?format=json${before}`);
    const { messages, next } = (await answer.json()) as { messages: { echoToken?: string }[]; next: number | null };
    for (const { echoToken } of messages) if (echoToken !== undefined) tokens.add(echoToken);
    if (next === null) break;
    before = `&before=${next}`;
  }
  return tokens;
}

function hasProperty(file: string): boolean {
  const copy = join(makeDataFolder(), "copy.sqlite");
  copyFileSync(file, copy);
  try {
    using database = new DatabaseSync(copy);
    return database.prepare("select 1 from property").get() !== undefined;
  } catch {
    return false;
  }
}
