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
