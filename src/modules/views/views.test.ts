import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { makeProperty, textOf } from "../../../test/support/hotel.ts";
import { ADMIN_PASSWORD, addPerson, signInByForm } from "../../../test/support/sign-in.ts";

const CLOSED = { action: "save", name: "Closed soon", grid: "rates", query: "days=7&problem=closed" };

eachEngine("saved views", (open) => {
  test("saved views appear as tabs of the portfolio and are visible only to their owner", async () => {
    await using service = await startApp({ database: await open(), settings: { ADMIN_PASSWORD } });
    for (const name of ["anna", "ben"]) await addPerson(service, name, "viewer");
    const { visitor: anna } = await signInByForm(service, { name: "anna" });
    const { visitor: ben } = await signInByForm(service, { name: "ben" });
    await anna.get("/tools/views");
    const saved = await anna.post("/tools/views", CLOSED);
    assert.equal(saved.headers.location, "/rates?choose=property&days=7&problem=closed");
    const tabs = (await anna.get(String(saved.headers.location))).body;
    assert.match(tabs, /<span aria-current="true">Closed soon<\/span>/);
    assert.doesNotMatch((await anna.get("/inventories?choose=property")).body, /Closed soon/);
    assert.doesNotMatch((await ben.get("/rates?choose=property")).body, /Closed soon/);
    await ben.get("/tools/views");
    assert.equal((await ben.post("/tools/views", { action: "delete", id: "1" })).statusCode, 409);
    await anna.get("/tools/views");
    await anna.post("/tools/views", { action: "rename", id: "1", name: "Weekend" });
    assert.match(textOf(await anna.get("/tools/views")), /View renamed to Weekend\. .* Weekend Rates days 7, problem closed/);
    await anna.post("/tools/views", { action: "delete", id: "1" });
    assert.match(textOf(await anna.get("/tools/views")), /No saved views yet/);
    const audit = await service.database.read.selectFrom("audit").select(["actor", "action"]).where("subject", "like", "view:%").execute();
    assert.deepEqual(
      audit.map(({ actor, action }) => `${actor} ${action}`),
      ["anna create", "anna rename", "anna delete"],
    );
  });
});

test("saved views belong to the browser while access is open, and are refused if invalid", async () => {
  await using service = await startApp();
  await makeProperty(service, { code: "ALP", name: "Alpenblick" });
  const [one, other] = [service.visitor(), service.visitor()];
  await one.get("/tools/views");
  await one.post("/tools/views", CLOSED);
  assert.match((await one.get("/rates?choose=property")).body, /Closed soon/);
  assert.doesNotMatch((await other.get("/rates?choose=property")).body, /Closed soon/);
  await one.get("/tools/views");
  const refused = await one.post("/tools/views", { action: "save", name: "", grid: "none" });
  assert.equal(refused.statusCode, 422);
  assert.match(textOf(refused), /Enter a name .*Choose inventories or rates/);
});
