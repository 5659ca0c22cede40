import assert from "node:assert/strict";
import { test } from "node:test";
import { stopwatch } from "../../../clock.ts";
import { readMultipart, readUrlEncoded } from "./form.ts";

test("Millions of fields take no longer than the first of them", () => {
  const encoded = Buffer.from(`action=ping&${"a=b&".repeat(4_000_000)}`);
  const parts = Buffer.from("--b\r\n\r\n".repeat(2_000_000));
  const elapsed = stopwatch();
  assert.deepEqual(readUrlEncoded(encoded)[0], { name: "action", content: Buffer.from("ping") });
  assert.equal(readMultipart(parts, "multipart/form-data; boundary=b"), undefined);
  assert.ok(elapsed() < 400, `took ${elapsed()} ms`);
});

test("The fields of an URL-encoded form are decoded", () => {
  const fields = readUrlEncoded(Buffer.from("action=OTA_Read%3AGuest&request=%3Ca%20b%3D%22%26amp%3B%22/%3E+"));
  assert.deepEqual(
    fields.map(({ name, content }) => [name, Buffer.from(content).toString()]),
    [
      ["action", "OTA_Read:Guest"],
      ["request", '<a b="&amp;"/> '],
    ],
  );
});
