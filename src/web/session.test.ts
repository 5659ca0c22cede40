import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { startApp } from "../../test/support/app.ts";
import { makeProperty } from "../../test/support/hotel.ts";

const refuse = (write: "insert" | "update") =>
  sql.raw(`create trigger no_${write} before ${write} on session begin select raise(abort, 'disk is full'); end`);

test("a page is shown although its visitor's session cannot be stored", async () => {
  await using service = await startApp();
  const visitor = service.visitor();
  await visitor.get("/property/new");
  assert.equal((await visitor.post("/property/new", { code: "ALP", name: "Alpenblick" })).statusCode, 303);
  await refuse("update").execute(service.database.write);
  const page = await visitor.get("/property/ALP");
  assert.equal(page.statusCode, 200);
  assert.match(page.body, /Property ALP was created/);
});

test("a form without its token is refused in the same words when no session can be made", async () => {
  await using service = await startApp();
  await makeProperty(service, { code: "ALP", name: "Alpenblick" });
  await refuse("insert").execute(service.database.write);
  const answer = await service.visitor().post("/property/ALP/edit", { name: "Typed" });
  assert.equal(answer.statusCode, 403);
  assert.match(answer.body, /Invalid CSRF token/);
});
