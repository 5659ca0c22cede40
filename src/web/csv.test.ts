import assert from "node:assert/strict";
import { test } from "node:test";
import { fastify } from "fastify";
import { sendCsv } from "./csv.ts";

test("between two batches of an export others have their turn", async () => {
  const order: string[] = [];
  function* batches(): Generator<string[]> {
    for (const name of ["one", "two", "three"]) {
      order.push(name);
      setImmediate(() => order.push("another"));
      yield [name];
    }
  }
  const app = fastify();
  app.get("/", (_request, reply) =>
    sendCsv(reply, "names", { columns: [{ head: "name", cell: (row: string) => row }], batches: batches() }),
  );
  const { body } = await app.inject("/");
  assert.equal(body, "\ufeffname\r\none\r\ntwo\r\nthree\r\n");
  assert.deepEqual(order, ["one", "another", "two", "another", "three", "another"]);
});

test("text that a spreadsheet would run is disarmed, in wide characters too, and numbers stay numbers", async () => {
  const texts = ["=1", "+a", "-a", "@a", "\t=1", "\n=1", "＝1", "＋a", "－a", "＠a", "-33.86", "+39 473", "a=1", -33.86];
  const app = fastify();
  app.get("/", (_request, reply) =>
    sendCsv(reply, "texts", { columns: [{ head: "text", cell: (row: string | number) => row }], batches: [texts] }),
  );
  const cells = (await app.inject("/")).body.split("\r\n").slice(1, -1);
  const disarmed = ["'=1", "'+a", "'-a", "'@a", "'\t=1", `"'\n=1"`, "'＝1", "'＋a", "'－a", "'＠a", "'-33.86", "'+39 473"];
  assert.deepEqual(cells, [...disarmed, "a=1", "-33.86"]);
});

test("text is disarmed where a spreadsheet parts cells at semicolons, too", async () => {
  const texts = ["a;=1+1", "a;b; -c", ";@x", "-1;-2"];
  const app = fastify();
  app.get("/", (_request, reply) => sendCsv(reply, "texts", { columns: [{ head: "text", cell: (row: string) => row }], batches: [texts] }));
  const cells = (await app.inject("/")).body.split("\r\n").slice(1, -1);
  assert.deepEqual(cells, ["a;'=1+1", "a;b; -c", ";'@x", "'-1;'-2"]);
});
