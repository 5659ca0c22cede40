import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { fastify } from "fastify";
import { addCompression } from "./compression.ts";

const WORDS = "single rooms and double rooms, ";
const decoders = { br: brotliDecompressSync, gzip: gunzipSync };

function serve(payload: string | Uint8Array, type: string) {
  const app = fastify();
  addCompression(app);
  app.get("/", (_request, reply) => reply.type(type).send(payload));
  return (accepted?: string) => app.inject({ url: "/", headers: accepted === undefined ? {} : { "accept-encoding": accepted } });
}

for (const [what, times] of [
  ["text", 100],
  ["text that is compressed on another thread", 20_000],
] as const) {
  test(`compresses ${what} only on request`, async () => {
    const text = WORDS.repeat(times);
    for (const type of ["text/html; charset=utf-8", "text/csv", "application/xml", "application/soap+xml", "application/json"]) {
      const get = serve(text, type);
      for (const coding of ["br", "gzip"] as const) {
        const { headers, rawPayload } = await get(`deflate, ${coding};q=0.5`);
        assert.equal(headers["content-encoding"], coding, type);
        assert.equal(headers.vary, "accept-encoding");
        assert.equal(Number(headers["content-length"]), rawPayload.length);
        assert.ok(rawPayload.length < text.length / 10);
        assert.equal(decoders[coding](rawPayload).toString(), text);
      }
      for (const accepted of [undefined, "identity", "br;q=0"]) {
        const { headers, body } = await get(accepted);
        assert.deepEqual([headers["content-encoding"], headers.vary, body], [undefined, "accept-encoding", text]);
      }
    }
  });
}

test("does not compress short text or content other than text", async () => {
  for (const [payload, type] of [
    [WORDS, "text/html"],
    [Buffer.from(WORDS.repeat(100)), "image/png"],
  ] as const) {
    const { headers, body } = await serve(payload, type)("br");
    assert.deepEqual([headers["content-encoding"], headers.vary, body], [undefined, undefined, String(payload)]);
  }
});
