/** The commands that work on the store, as a person runs them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { listProperties } from "../src/modules/property/store.ts";
import { eachEngine } from "./support/databases.ts";
import { makeDataFolder, runCommand } from "./support/process.ts";

test("migrate brings a store to the schema of this version, once", async () => {
  const settings = { DATA_DIR: makeDataFolder() };
  const first = await runCommand(["migrate"], settings);
  assert.equal(first.code, 0, first.errors);
  assert.match(first.output, /^Done: 0001-/m);
  const again = await runCommand(["migrate"], settings);
  assert.equal(again.code, 0);
  assert.equal(again.output, "The database is up to date.\n");
});

eachEngine("seed", (open, makePlace) => {
  test("fills the store with as much as it is told", async () => {
    const place = await makePlace();
    const settings = { DATA_DIR: place.folder, ...(place.url !== undefined && { DATABASE_URL: place.url }) };
    const { code, output, errors } = await runCommand(["seed", "--properties", "3", "--nights=7", "--categories", "2"], settings);
    assert.equal(code, 0, errors);
    assert.match(output, /^properties +\[#+\] 3 of 3$/m);
    assert.match(output, /^Done in \d+\.\d s\.$/m);
    const { lines } = await listProperties(await open(place), { q: "", sort: "code", direction: "asc", page: 1, size: 25 });
    assert.deepEqual(
      lines.map((property) => `${property.code} with ${property.categories}`),
      ["SEED00001 with 2", "SEED00002 with 2", "SEED00003 with 2"],
    );
  });
});

test("seed with an amount that is none fills nothing and says what it may be", async () => {
  const settings = { DATA_DIR: makeDataFolder() };
  for (const args of [["--properties", "-1"], ["--properties=1.5"], ["--nights", "many"], ["--nights", "10000001"]]) {
    const { code, errors, output } = await runCommand(["seed", ...args], settings);
    assert.equal(code, 1, args.join(" "));
    assert.match(errors, /takes a whole number from 0 to 10000000|^Option '--properties'.*Usage: npm run seed --/s);
    assert.equal(output, "");
  }
});
