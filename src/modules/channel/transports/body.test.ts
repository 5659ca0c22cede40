import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { Readable } from "node:stream";
import { type TestContext, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { BODY_LIMITS, type BodyLimits } from "../limits.ts";
import { type RequestBody, BodyReader, type UnreadReason } from "./body.ts";

const MEGABYTE = 1024 * 1024;
const SMALL = 64 * 1024;
const LIMITS: BodyLimits = { ...BODY_LIMITS, allAdmitted: MEGABYTE };

/** A body whose bytes arrive as they are pushed to the stream. */
function arriving(reader: BodyReader, declared?: number) {
  const stream = new Readable({ read() {}, autoDestroy: false });
  return { stream, body: reader.open(stream, declared) };
}

function known(body: RequestBody): RequestBody {
  body.admit();
  return body;
}

function push(stream: Readable, bytes: number): void {
  for (let left = bytes; left > 0; left -= SMALL) stream.push(Buffer.alloc(Math.min(left, SMALL)));
}

/** The length of a body, or why it was not read. */
function sizeOf(read: Uint8Array | UnreadReason): number | UnreadReason {
  return typeof read === "string" ? read : read.byteLength;
}

async function sizeOfWhole(reader: BodyReader, bytes: number, declared?: number): Promise<number | UnreadReason> {
  const { stream, body } = arriving(reader, declared);
  push(stream, bytes);
  stream.push(null);
  const size = sizeOf(await known(body).readAll());
  body.release();
  return size;
}

/** Stops timers; the returned function advances them. */
function stopTime({ mock }: TestContext): (milliseconds: number) => void {
  mock.timers.enable({ apis: ["setTimeout"] });
  return (milliseconds) => mock.timers.tick(milliseconds);
}

test("rejects a body whose client disconnected before it was read", async () => {
  const { stream, body } = arriving(new BodyReader(LIMITS));
  stream.destroy();
  assert.ok(body.isBroken);
  await assert.rejects(body.readPrefix(), { code: "ECONNRESET" });
  await assert.rejects(body.readAll(), { code: "ECONNRESET" });
});

test("limits the memory for bodies without letting large ones block small ones", async () => {
  const reader = new BodyReader(LIMITS);
  const coming = (bytes: number) => {
    const { stream, body } = arriving(reader);
    const taken = known(body).readAll();
    push(stream, bytes);
    return async () => {
      stream.push(null);
      assert.equal(sizeOf(await taken), bytes);
      body.release();
    };
  };
  const finishLarge = coming(2 * MEGABYTE);
  assert.deepEqual(
    [await sizeOfWhole(reader, 2 * MEGABYTE), await sizeOfWhole(reader, 2 * SMALL)],
    ["busy", 2 * SMALL],
    "the memory for bytes beyond each body's first megabyte is in use",
  );
  const finishMedium = coming(2 * SMALL);
  assert.deepEqual(
    [await sizeOfWhole(reader, 2 * SMALL), await sizeOfWhole(reader, SMALL)],
    ["busy", SMALL],
    "the memory for each body's first megabyte is in use too, except for its first 64 kB",
  );
  await finishLarge();
  await finishMedium();
  assert.deepEqual(
    [await sizeOfWhole(reader, 2 * MEGABYTE), await sizeOfWhole(reader, 2 * SMALL)],
    [2 * MEGABYTE, 2 * SMALL],
    "the memory is freed",
  );
});

test("refuses a body above the limit, with or without a Content-Length", async () => {
  const reader = new BodyReader({ ...LIMITS, body: 1_000 });
  assert.deepEqual([await sizeOfWhole(reader, 1_000), await sizeOfWhole(reader, 1_001)], [1_000, "too-large"]);
  assert.deepEqual([await sizeOfWhole(reader, 1_000, 1_000), await sizeOfWhole(reader, 1, 1_001)], [1_000, "too-large"]);
});

test("frees the memory of a body that fails", async () => {
  const reader = new BodyReader({ ...LIMITS, allAdmitted: SMALL });
  const { stream, body } = arriving(reader);
  const taken = known(body).readAll();
  push(stream, 2 * SMALL);
  stream.on("data", () => stream.destroy(new Error("broken")));
  await assert.rejects(taken, { message: "broken" });
  assert.ok(body.isBroken);
  body.release();
  assert.equal(await sizeOfWhole(reader, 2 * SMALL), 2 * SMALL);
});

test("lets a known sender's body take a long time to arrive but not pause for long", async (context) => {
  const pass = stopTime(context);
  const reader = new BodyReader(LIMITS);
  for (const bytes of [1, MEGABYTE + 1]) {
    const { stream, body } = arriving(reader);
    const taken = known(body).readAll();
    push(stream, bytes);
    for (let time = 0; time < 3; time++) {
      pass(LIMITS.maxPauseMs - 1);
      const arrived = once(stream, "data");
      stream.push(Buffer.alloc(1));
      await arrived;
    }
    pass(LIMITS.maxPauseMs);
    assert.equal(await taken, "too-slow");
    body.release();
  }
  assert.equal(await sizeOfWhole(reader, 2 * MEGABYTE), 2 * MEGABYTE, "the memory is freed");
});

test("limits how long the beginning of a body may take to arrive", async (context) => {
  const pass = stopTime(context);
  const { stream, body } = arriving(new BodyReader(LIMITS));
  const taken = body.readPrefix();
  for (let time = 0; time < 10; time++) {
    pass(LIMITS.prefixMs / 10);
    if (time < 9) {
      const arrived = once(stream, "data");
      stream.push(Buffer.alloc(1));
      await arrived;
    }
  }
  assert.equal(await taken, "too-slow");
});

test("reads only the beginning of a body until its sender is known", async () => {
  const { stream, body } = arriving(new BodyReader(LIMITS));
  for (let chunk = 0; chunk < 10; chunk++) stream.push(Buffer.alloc(SMALL / 2, chunk));
  stream.push(null);
  const prefix = await body.readPrefix();
  assert.ok(typeof prefix !== "string");
  assert.deepEqual([prefix.byteLength, body.isComplete, stream.isPaused()], [SMALL, false, true]);
  const whole = await known(body).readAll();
  assert.ok(typeof whole !== "string");
  assert.deepEqual([whole.byteLength, body.isComplete], [5 * SMALL, true]);
  assert.deepEqual([whole[0], whole[SMALL], whole[5 * SMALL - 1]], [0, 2, 9]);
});

test("limits the memory for bodies from unknown senders and drops the oldest body to make room for a new one", async () => {
  const reader = new BodyReader({ ...LIMITS, allPrefixes: 10 * SMALL });
  const bodies = Array.from({ length: 12 }, () => arriving(reader));
  const taken = bodies.map(({ body }) => body.readPrefix().then(sizeOf));
  for (const { stream } of bodies) {
    push(stream, SMALL - 1);
    await nextTurn();
  }
  for (const { stream } of bodies) stream.push(null);
  assert.deepEqual(await Promise.all(taken), ["too-slow", "too-slow", ...Array<number>(10).fill(SMALL - 1)]);
});

test("counts bodies towards the memory limit even before their first byte arrives", async () => {
  const reader = new BodyReader({ ...LIMITS, allPrefixes: SMALL });
  const bodies = Array.from({ length: 100 }, () => arriving(reader));
  const taken = bodies.map(({ body }) => body.readPrefix().then(sizeOf));
  for (const { stream } of bodies) stream.push(null);
  const given = (await Promise.all(taken)).filter((size) => size === "too-slow");
  assert.equal(given.length, 100 - SMALL / 4096);
});

test("allocates memory for the bytes that arrived, not for the declared length", async () => {
  const reader = new BodyReader(BODY_LIMITS);
  const before = process.memoryUsage().arrayBuffers;
  const bodies = Array.from({ length: 200 }, () => arriving(reader, MEGABYTE));
  const taken = bodies.map(({ body }) => known(body).readAll());
  for (let chunk = 0; chunk < 4; chunk++) {
    for (const { stream } of bodies) stream.push(Buffer.alloc(1_000));
    await nextTurn();
  }
  const held = process.memoryUsage().arrayBuffers - before;
  assert.ok(held < 200 * 20_000, `${held} bytes`);
  for (const { stream } of bodies) stream.push(null);
  for (const bytes of await Promise.all(taken)) assert.equal(sizeOf(bytes), 4_000);
});

test("joins chunks correctly for any declared length", async () => {
  const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(chunks, fc.integer({ min: -20, max: 20 }), fc.boolean(), async (all, difference, isKnown) => {
      const sent = Buffer.concat(all);
      const declared = isKnown ? sent.length : Math.max(0, sent.length + difference);
      const body = new BodyReader(LIMITS).open(Readable.from(all, { objectMode: false }), declared);
      const bytes = await known(body).readAll();
      assert.deepEqual(Buffer.from(bytes), sent);
    }),
  );
});

for (const [who, admit, bytes, left] of [
  ["an unknown sender", () => {}, BODY_LIMITS.discardBytes, BODY_LIMITS.lingerMs],
  ["a known sender", known, BODY_LIMITS.body, BODY_LIMITS.maxPauseMs],
] as const) {
  test(`discards the rest of a refused body up to a limit, then closes the connection: ${who}`, async (context) => {
    const pass = stopTime(context);
    const { stream, body } = arriving(new BodyReader(LIMITS));
    admit(body);
    const response = new EventEmitter();
    body.discardRest(response);
    push(stream, bytes + 1);
    await once(stream, "pause");
    pass(10 * left);
    assert.equal(stream.destroyed, false, "the response is still being sent");
    response.emit("finish");
    pass(left);
    assert.equal(stream.destroyed, true);
  });

  test(`keeps the connection open if the rest of a refused body is within the limit: ${who}`, async (context) => {
    const pass = stopTime(context);
    const { stream, body } = arriving(new BodyReader(LIMITS));
    admit(body);
    const response = new EventEmitter();
    let closed = false;
    stream.destroy = () => {
      closed = true;
      return stream;
    };
    body.discardRest(response);
    response.emit("finish");
    push(stream, 1_000);
    stream.push(null);
    await once(stream, "end");
    pass(10 * left);
    assert.equal(closed, false);
  });
}
