import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { openFresh } from "./support/databases.ts";
import { makeDataFolder, runCommand, serve, type Serving } from "./support/process.ts";
import { countMessage, countsPath, readCounts } from "./support/seeded-place.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** The last commit of the version before this one. Change it with each release. */
const PREVIOUS = "885ffa8d7dbc0858fdff2b33e5228ba67d173fc5";
const SEED = "seed --properties 2 --categories 1 --plans 0 --nights 0 --errors 0 --messages 0";

const isKnown = spawnSync("git", ["cat-file", "-e", `${PREVIOUS}^{commit}`], { cwd: ROOT }).status === 0;

test(
  "the previous version keeps working while the new version migrates and serves",
  { skip: !isKnown && "the clone has no history" },
  async (t) => {
    const { database, place, remove } = await openFresh("PostgreSQL");
    t.after(remove);
    await sql`drop schema public cascade`.execute(database.write);
    await sql`create schema public`.execute(database.write);
    const settings = { DATABASE_URL: place.url! };
    const previous = unpackPrevious();
    const earlier = await serve({ ...settings, DATA_DIR: makeDataFolder() }, previous);
    const seeded = await runCommand(SEED.split(" "), { ...settings, DATA_DIR: makeDataFolder() }, previous);
    assert.equal(seeded.code, 0, seeded.errors);
    const later = await serve({ ...settings, DATA_DIR: makeDataFolder() });
    for (let turn = 0; turn < 6; turn++) {
      const [writer, reader] = turn % 2 === 0 ? [earlier, later] : [later, earlier];
      assert.match(await send(writer, turn), /<Success\/>/);
      const counts = await (await fetch(reader.origin + countsPath(0))).text();
      assert.equal(readCounts(counts)[0], turn, `turn ${turn}`);
    }
    const { messages } = (await (await fetch(`${later.origin}/dev/logs?format=json`)).json()) as { messages: { id: number }[] };
    const entries = messages.map(({ id }) => `/dev/logs/${id}`);
    assert.ok(entries.length >= 6);
    for (const { origin } of [earlier, later])
      for (const path of ["/property", "/dev/logs", "/tools/errors", "/", ...entries])
        assert.equal((await fetch(origin + path)).status, 200, path);
    const { groups } = (await (await fetch(`${later.origin}/tools/errors?view=groups&format=json`)).json()) as { groups: object[] };
    assert.deepEqual(groups, []);
    assert.deepEqual([(await earlier.stop()).code, (await later.stop()).code], [0, 0]);
  },
);

function unpackPrevious(): string {
  const folder = makeDataFolder();
  const archive = execFileSync("git", ["archive", PREVIOUS], { cwd: ROOT, maxBuffer: 2 ** 30 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return folder;
}

async function send({ origin }: Serving, count: number): Promise<string> {
  const headers = { "content-type": "application/xml" };
  const response = await fetch(`${origin}/channel`, { method: "POST", headers, body: countMessage(0, { days: 0, count }) });
  return response.text();
}
