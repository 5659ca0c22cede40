import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { BodyIntake } from "./body-intake.ts";

const MEGABYTE = 1024 * 1024;

test("A body whose sender has left before anyone reads it is refused as a broken connection", async () => {
  const stream = new Readable({ read() {} });
  stream.destroy();
  await assert.rejects(new BodyIntake(1).read(stream, 1), { code: "ECONNRESET" });
});

test("A body that ends in an error gives back the room that it took", async () => {
  const intake = new BodyIntake(1);
  const stream = new Readable({ read() {} });
  const taken = intake.read(stream, 2 * MEGABYTE);
  stream.push(Buffer.alloc(MEGABYTE + 1));
  stream.on("data", () => stream.destroy(new Error("broken")));
  await assert.rejects(taken, { message: "broken" });
  const { body } = await intake.read(Readable.from([Buffer.alloc(MEGABYTE + 1)]), 2 * MEGABYTE);
  assert.equal(body.length, MEGABYTE + 1);
});
