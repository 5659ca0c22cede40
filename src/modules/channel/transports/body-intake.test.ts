import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test, type TestContext } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { BodyIntake } from "./body-intake.ts";

const MEGABYTE = 1024 * 1024;
const SMALL = 64 * 1024;

test("A body whose sender has left before anyone reads it is refused as a broken connection", async () => {
  const stream = new Readable({ read() {} });
  stream.destroy();
  await assert.rejects(new BodyIntake(1, SILENCE_MS).read(stream, 1), { code: "ECONNRESET" });
});

test("Bodies that are still coming take no more memory than they may, and larger ones block no smaller ones", async () => {
  const intake = new BodyIntake(MEGABYTE, 60_000);
  const coming = (bytes: number) => {
    const stream = new Readable({ read() {} });
    const taken = intake.read(stream, 4 * MEGABYTE);
    for (let left = bytes; left > 0; left -= SMALL) stream.push(Buffer.alloc(Math.min(left, SMALL)));
    const end = () => stream.push(null);
    return { taken, end };
  };
  const bodyOf = async (bytes: number) => {
    const { taken, end } = coming(bytes);
    end();
    const { body, release } = await taken;
    release();
    return typeof body === "string" ? body : body.length;
  };
  const large = coming(2 * MEGABYTE);
  assert.deepEqual([await bodyOf(2 * MEGABYTE), await bodyOf(2 * SMALL)], ["busy", 2 * SMALL], "beyond the megabyte all room is taken");
  const medium = coming(2 * SMALL);
  assert.deepEqual([await bodyOf(2 * SMALL), await bodyOf(SMALL)], ["busy", SMALL], "before it, too, but for small ones");
  for (const { taken, end } of [large, medium]) {
    end();
    (await taken).release();
  }
  assert.deepEqual([await bodyOf(2 * MEGABYTE), await bodyOf(2 * SMALL)], [2 * MEGABYTE, 2 * SMALL], "their room is given back");
});

test("A body may have as many bytes as are allowed and not one more, whether it announced them or not", async () => {
  const intake = new BodyIntake(MEGABYTE, SILENCE_MS);
  const sizeOf = async (bytes: number, announced?: number) => {
    const { body, release } = await intake.read(Readable.from([Buffer.alloc(bytes)]), 1_000, announced);
    release();
    return typeof body === "string" ? body : body.length;
  };
  assert.deepEqual([await sizeOf(1_000), await sizeOf(1_001)], [1_000, "too-large"]);
  assert.deepEqual([await sizeOf(1_000, 1_000), await sizeOf(1_000, 1_001)], [1_000, "too-large"]);
});

test("A body that ends in an error gives back the room that it took", async () => {
  const intake = new BodyIntake(SMALL, SILENCE_MS);
  const stream = new Readable({ read() {} });
  const taken = intake.read(stream, MEGABYTE);
  stream.push(Buffer.alloc(2 * SMALL));
  stream.on("data", () => stream.destroy(new Error("broken")));
  await assert.rejects(taken, { message: "broken" });
  const { body } = await intake.read(Readable.from([Buffer.alloc(2 * SMALL)]), MEGABYTE);
  assert.equal(body.length, 2 * SMALL);
});

test("A large body is ended when nothing comes of it any more, and each part of it starts the time again", async (t) => {
  const timers = holdTimers(t);
  const intake = new BodyIntake(MEGABYTE, SILENCE_MS);
  const stream = new Readable({ read() {} });
  const taken = intake.read(stream, 2 * MEGABYTE);
  stream.push(Buffer.alloc(MEGABYTE + 1));
  await nextTurn();
  const [timer] = timers;
  assert.deepEqual([timers.length, timer!.milliseconds, timer!.started], [1, SILENCE_MS, 1]);
  stream.push(Buffer.alloc(1));
  await nextTurn();
  assert.equal(timer!.started, 2);
  timer!.end();
  await assert.rejects(taken, { code: "ECONNRESET" });
  const { body } = await intake.read(Readable.from([Buffer.alloc(2 * MEGABYTE)]), 2 * MEGABYTE);
  assert.equal(body.length, 2 * MEGABYTE, "its room is given back");
});

test("A small body has no time limit, and a large one that is whole has none any more", async (t) => {
  const timers = holdTimers(t);
  const intake = new BodyIntake(MEGABYTE, SILENCE_MS);
  const stream = new Readable({ read() {} });
  const taken = intake.read(stream, 2 * MEGABYTE);
  stream.push(Buffer.alloc(SMALL));
  await nextTurn();
  assert.equal(timers.length, 0);
  stream.push(Buffer.alloc(1));
  stream.push(null);
  const { body } = await taken;
  assert.equal(body.length, SMALL + 1);
  assert.deepEqual(
    timers.map(({ stopped }) => stopped),
    [true],
  );
});

test("A body is what its chunks are, whatever length it announced", async () => {
  const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(chunks, fc.integer({ min: -20, max: 20 }), fc.boolean(), async (all, difference, isKnown) => {
      const sent = Buffer.concat(all);
      const announced = isKnown ? sent.length : Math.max(0, sent.length + difference);
      const { body } = await new BodyIntake(MEGABYTE, SILENCE_MS).read(Readable.from(all, { objectMode: false }), MEGABYTE, announced);
      assert.deepEqual(Buffer.from(body), sent);
    }),
  );
});

const SILENCE_MS = 200;

type HeldTimer = { milliseconds: number; started: number; stopped: boolean; end(): void };

/** Replaces timers by ones that end when the test says so. The mock timers of node:test can't be refreshed. */
function holdTimers(t: TestContext): HeldTimer[] {
  const held: HeldTimer[] = [];
  t.mock.method(globalThis, "setTimeout", (end: () => void, milliseconds: number) => {
    const timer = { milliseconds, started: 1, stopped: false, end, refresh: () => void timer.started++ };
    held.push(timer);
    return timer;
  });
  t.mock.method(globalThis, "clearTimeout", (timer: HeldTimer) => void (timer.stopped = true));
  return held;
}
