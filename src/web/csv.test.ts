import assert from "node:assert/strict";
import { test } from "node:test";
import { fastify } from "fastify";
import { sendCsv } from "./csv.ts";

test("a CSV export lets other work run between batches", async () => {
  const order: string[] = [];
  function* batches(): Generator<string[]> {
    for (const name of ["one", "two", "three"]) {
      order.push(name);
      setImmediate(() => order.push("other work"));
      yield [name];
    }
  }
  const app = fastify();
  app.get("/", (_request, reply) =>
    sendCsv(reply, "names", { columns: [{ head: "name", cell: (row: string) => row }], batches: batches() }),
  );
  const { body } = await app.inject("/");
  assert.equal(body, "\ufeffname\r\none\r\ntwo\r\nthree\r\n");
  assert.deepEqual(order, ["one", "other work", "two", "other work", "three", "other work"]);
});

test("escapes formulas in text, including those with full-width symbols, but leaves numbers unchanged", async () => {
  const texts = ["=1", "+a", "-a", "@a", "\t=1", "\n=1", "＝1", "＋a", "－a", "＠a", "-33.86", "+39 473", "a=1", -33.86];
  const app = fastify();
  app.get("/", (_request, reply) =>
    sendCsv(reply, "texts", { columns: [{ head: "text", cell: (row: string | number) => row }], batches: [texts] }),
  );
  const cells = (await app.inject("/")).body.split("\r\n").slice(1, -1);
  const escaped = ["'=1", "'+a", "'-a", "'@a", "'\t=1", `"'\n=1"`, "'＝1", "'＋a", "'－a", "'＠a", "'-33.86", "'+39 473"];
  assert.deepEqual(cells, [...escaped, "a=1", "-33.86"]);
});

test("escapes formulas that follow a semicolon", async () => {
  const texts = ["a;=1+1", "a;b; -c", ";@x", "-1;-2"];
  const app = fastify();
  app.get("/", (_request, reply) => sendCsv(reply, "texts", { columns: [{ head: "text", cell: (row: string) => row }], batches: [texts] }));
  const cells = (await app.inject("/")).body.split("\r\n").slice(1, -1);
  assert.deepEqual(cells, ["a;'=1+1", "a;b; -c", ";'@x", "'-1;'-2"]);
});
