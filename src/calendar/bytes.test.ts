import assert from "node:assert/strict";
import { test } from "node:test";
import { ByteReader, ByteWriter } from "./bytes.ts";

test("preserves the written bytes when the buffer grows", () => {
  for (const kind of ["byte", "text", "bytes"] as const) {
    for (let before = 4_085; before <= 4_100; before++) {
      const writer = new ByteWriter();
      writer.start();
      for (let i = 0; i < before; i++) writer.byte(i % 251);
      if (kind === "byte") writer.byte(7);
      else if (kind === "text") writer.text("Zürich");
      else writer.bytes(Uint8Array.of(1, 2, 3));
      writer.byte(9);
      const reader = new ByteReader(writer.take());
      for (let i = 0; i < before; i++) assert.equal(reader.byte(), i % 251);
      if (kind === "byte") assert.equal(reader.byte(), 7);
      else if (kind === "text") assert.equal(reader.text(), "Zürich");
      else assert.deepEqual([...reader.byteArray()], [1, 2, 3]);
      assert.equal(reader.byte(), 9);
      assert.equal(reader.at, reader.bytes.length);
    }
  }
});
