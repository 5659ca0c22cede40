import assert from "node:assert/strict";
import { test } from "node:test";
import { Turns } from "./turns.ts";

test("work with one key is done in its order, after a fault too, and not at all behind a server that does not answer", async () => {
  const turns = new Turns();
  const done: string[] = [];
  const fail = (name: string, code: string) => async () => {
    done.push(name);
    throw Object.assign(new Error(name), { code });
  };
  const asked = [
    turns.take("H", fail("faulty", "22001")),
    turns.take("H", fail("silent", "ETIMEDOUT")),
    turns.take("H", async () => done.push("behind it")),
    turns.take("other", async () => done.push("elsewhere")),
  ];
  const reasons = (await Promise.allSettled(asked)).map((one) => (one.status === "rejected" ? String(one.reason) : "done"));
  assert.deepEqual(reasons, ["Error: faulty", "Error: silent", "Error: silent", "done"]);
  assert.deepEqual(done, ["faulty", "elsewhere", "silent"]);
  await turns.take("H", async () => done.push("later"));
  assert.equal(done.at(-1), "later");
});
