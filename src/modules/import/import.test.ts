import assert from "node:assert/strict";
import { test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { startApp, type TestApp, type Visitor } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { editRecord, makeCategory, makeProperty } from "../../../test/support/hotel.ts";

type Row = { row: number; outcome: string; record: string; changes: { field: string; from: string; to: string }[]; faults: Fault[] };
type Fault = { column: string; value: string; problem: string };
type ImportJson = { id: number; kind: string; state: string; fault: string | null; counts: Record<string, number>; rows: Row[] };

async function upload(visitor: Visitor, text: string): Promise<LightMyRequestResponse> {
  return visitor.post("/tools/import", { action: "upload", text });
}

/** Uploads a table whose columns are known, and returns its preview. */
async function preview(visitor: Visitor, text: string): Promise<ImportJson> {
  const { statusCode, headers, body } = await upload(visitor, text);
  assert.equal(statusCode, 303, body);
  return read(visitor, headers.location!);
}

async function read(visitor: Visitor, url: string): Promise<ImportJson> {
  return (await visitor.get(`${url}?format=json&show=all`)).json();
}

async function act(visitor: Visitor, id: number, action: string): Promise<ImportJson> {
  const url = `/tools/import/${id}`;
  await visitor.get(url);
  const { statusCode, body } = await visitor.post(url, { action });
  assert.equal(statusCode, 303, body);
  return read(visitor, url);
}

async function exported(service: TestApp, kind: string): Promise<string> {
  return (await service.inject(`/tools/import?current=${kind}`)).body;
}

eachEngine("an import", (open) => {
  test("creates and changes properties after a preview, and can be undone", async () => {
    await using service = await startApp({ database: await open() });
    await makeProperty(service, { code: "ALP", name: "Alpenblick", city: "Merano" });
    const before = await exported(service, "property");
    const visitor = service.visitor();
    const csv = "Code;Name;City;Status\nALP;Alpenblick;Bolzano;Inactive\nSEA;Seaside;Porto;\n";
    const { id, counts, rows, state } = await preview(visitor, csv);
    assert.equal(state, "ready");
    assert.deepEqual(counts, { new: 1, changed: 1, unchanged: 0, fault: 0 });
    assert.deepEqual(rows[0]!.changes, [
      { field: "status", from: "active", to: "inactive" },
      { field: "city", from: "Merano", to: "Bolzano" },
    ]);
    assert.equal(await exported(service, "property"), before);
    assert.equal((await act(visitor, id, "import")).state, "done");
    const property = (await service.inject("/property/SEA?format=json")).json();
    assert.deepEqual([property.name, property.city, property.currency, property.history[0].action], ["Seaside", "Porto", "EUR", "create"]);
    assert.equal((await act(visitor, id, "undo")).state, "undone");
    assert.equal(await exported(service, "property"), before);
    assert.equal((await service.inject("/property/SEA")).statusCode, 404);
    const { entries } = (await service.inject("/tools/audit?format=json")).json();
    const actions = entries.map(({ action, subject }: { action: string; subject: string }) => `${action} ${subject}`);
    assert.deepEqual(actions.slice(0, 8), [
      `undo import:${id}`,
      "delete property:SEA",
      "update property:ALP",
      `import import:${id}`,
      "create property:SEA",
      "update property:ALP",
      `upload import:${id}`,
      "create property:ALP",
    ]);
  });

  test("refuses to undo if one of its records was changed since", async () => {
    await using service = await startApp({ database: await open() });
    const visitor = service.visitor();
    const { id } = await preview(visitor, "code,name\nA,One\nB,Two\n");
    await act(visitor, id, "import");
    await editRecord(service, "/property/B/edit", { name: "Three" });
    const { state, fault } = await act(visitor, id, "undo");
    assert.equal(state, "done");
    assert.match(fault!, /^Property B was changed after the import\. Nothing was undone\./);
    assert.equal((await service.inject("/property/A")).statusCode, 200);
    const { id: other } = await preview(visitor, "code,name\nC,Four\n");
    await act(visitor, other, "import");
    await makeCategory(service, { hotelCode: "C", code: "DBL", name: "Double" });
    assert.match((await act(visitor, other, "undo")).fault!, /^Property C cannot be deleted, because it has categories\./);
  });

  test("stores nothing if a record was changed after the preview", async () => {
    await using service = await startApp({ database: await open() });
    await makeProperty(service, { code: "Z", name: "Last" });
    const before = await exported(service, "property");
    const visitor = service.visitor();
    const rows = Array.from({ length: 450 }, (_, index) => `P${index},Hotel ${index}`);
    const { id } = await preview(visitor, `code,name\n${rows.join("\n")}\nZ,Changed\n`);
    await editRecord(service, "/property/Z/edit", { city: "Bergen" });
    const { state, fault } = await act(visitor, id, "import");
    assert.equal(state, "ready");
    assert.match(fault!, /^Property Z was changed after the preview\. Nothing was imported\./);
    assert.equal((await exported(service, "property")).replace("Bergen", ""), before);
  });
});
