import assert from "node:assert/strict";
import { test } from "node:test";
import { Mailboxes } from "./mailboxes.ts";

/** Creates a task that records its start and end in `done`. The task ends when `finish` is called. */
function openWork(done: string[]) {
  return (name: string) => {
    const { promise, resolve: finish } = Promise.withResolvers<void>();
    const work = async () => {
      done.push(`${name} starts`);
      await promise;
      done.push(`${name} ends`);
    };
    return { work, finish };
  };
}

test("runs tasks with the same key in order, one at a time, and tasks with different keys concurrently", async () => {
  const mailboxes = new Mailboxes(10);
  const done: string[] = [];
  const make = openWork(done);
  const [first, second, other] = [make("first"), make("second"), make("other")];
  const running = [mailboxes.run("H", first.work)!, mailboxes.run("H", second.work)!];
  other.finish();
  await mailboxes.run("another", other.work);
  second.finish();
  first.finish();
  await Promise.all(running);
  assert.deepEqual(done, ["first starts", "other starts", "other ends", "first ends", "second starts", "second ends"]);
});

test("refuses tasks while a mailbox is full", async () => {
  const mailboxes = new Mailboxes(2);
  const make = openWork([]);
  const [first, second] = [make("first"), make("second")];
  const running = [mailboxes.run("H", first.work), mailboxes.run("H", second.work)];
  assert.equal(
    mailboxes.run("H", async () => {}),
    undefined,
  );
  assert.equal(await mailboxes.run("another", async () => "taken"), "taken");
  first.finish();
  await running[0];
  second.finish();
  assert.equal(await mailboxes.run("H", async () => "taken"), "taken");
});

test("continues after a failed task but fails all waiting tasks if the database is unavailable", async () => {
  const mailboxes = new Mailboxes(10);
  const done: string[] = [];
  const fail = (name: string, code: string) => async () => {
    done.push(name);
    throw Object.assign(new Error(name), { code });
  };
  const results = await Promise.allSettled([
    mailboxes.run("H", fail("faulty", "22001")),
    mailboxes.run("H", fail("silent", "ETIMEDOUT")),
    mailboxes.run("H", async () => done.push("after it")),
    mailboxes.run("another", async () => done.push("elsewhere")),
  ]);
  const reasons = results.map((one) => (one.status === "rejected" ? String(one.reason) : "done"));
  assert.deepEqual(reasons, ["Error: faulty", "Error: silent", "Error: silent", "done"]);
  assert.deepEqual(done, ["faulty", "elsewhere", "silent"]);
  await mailboxes.run("H", async () => done.push("later"));
  assert.equal(done.at(-1), "later");
});
