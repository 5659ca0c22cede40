import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { startApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { editRecord, makeCategory, makeHotel, makeProperty, postMessage, rateMessage, textOf } from "../../../test/support/hotel.ts";
import { act, currentFile, preview, readImport } from "../../../test/support/imports.ts";
import { addSender } from "../../../test/support/senders.ts";
import type { Database } from "../../db/database.ts";
import { claimJob } from "../../db/jobs.ts";
import { pruneImports } from "../../records/import/store.ts";

eachEngine("an import", (open) => {
  test("an import creates and changes properties after a preview, and can be undone", async () => {
    await using service = await startApp({ database: await open() });
    await makeProperty(service, { code: "ALP", name: "Alpenblick", city: "Merano" });
    const before = await currentFile(service, "property");
    const visitor = service.visitor();
    const csv = "Code;Name;City;Status\nALP;Alpenblick;Bolzano;Inactive\nSEA;Seaside;Porto;\n";
    const { id, counts, rows, state } = await preview(visitor, csv);
    assert.equal(state, "ready");
    assert.deepEqual(counts, { new: 1, changed: 1, unchanged: 0, fault: 0 });
    assert.deepEqual(rows[0]!.changes, [
      { field: "status", from: "active", to: "inactive" },
      { field: "city", from: "Merano", to: "Bolzano" },
    ]);
    assert.equal(await currentFile(service, "property"), before);
    assert.equal((await act(visitor, id, "import")).state, "done");
    const property = (await service.inject("/property/SEA?format=json")).json();
    assert.deepEqual([property.name, property.city, property.currency, property.history[0].action], ["Seaside", "Porto", "EUR", "create"]);
    assert.equal((await act(visitor, id, "undo")).state, "undone");
    assert.equal(await currentFile(service, "property"), before);
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

  test("an import can't be undone if one of its records has been changed since", async () => {
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

  test("an import can't be run or undone if one of its records has been deleted and created again", async () => {
    await using service = await startApp({ database: await open() });
    const visitor = service.visitor();
    const createAgain = async (code: string) => {
      service.clock.set(service.clock.now() + 1_000);
      await service.database.write.deleteFrom("property").where("code", "=", code).execute();
      await makeProperty(service, { code, name: "Another hotel" });
    };
    await makeProperty(service, { code: "A", name: "One" });
    const { id: changed } = await preview(visitor, "code,city\nA,Porto\n");
    await createAgain("A");
    const refused = await act(visitor, changed, "import");
    assert.match(refused.fault!, /^Property A was deleted and created again after the preview\. Nothing was imported\./);
    const { id: created } = await preview(visitor, "code,name\nB,Two\n");
    await act(visitor, created, "import");
    await createAgain("B");
    const { state, fault } = await act(visitor, created, "undo");
    assert.equal(state, "done");
    assert.match(fault!, /^Property B was deleted and created again after the import\. Nothing was undone\./);
    for (const code of ["A", "B"]) {
      const { name, city } = (await service.inject(`/property/${code}?format=json`)).json();
      assert.deepEqual([name, city], ["Another hotel", undefined]);
    }
  });

  test("an import stores nothing if a record was changed after the preview", async () => {
    await using service = await startApp({ database: await open() });
    await makeProperty(service, { code: "Z", name: "Last" });
    const before = await currentFile(service, "property");
    const visitor = service.visitor();
    const rows = Array.from({ length: 450 }, (_, index) => `P${index},Hotel ${index}`);
    const { id } = await preview(visitor, `code,name\n${rows.join("\n")}\nZ,Changed\n`);
    await editRecord(service, "/property/Z/edit", { city: "Bergen" });
    const { state, fault } = await act(visitor, id, "import");
    assert.equal(state, "ready");
    assert.match(fault!, /^Property Z was changed after the preview\. Nothing was imported\./);
    assert.equal((await currentFile(service, "property")).replace("Bergen", ""), before);
  });
});

eachEngine("an import", (open) => {
  test("an import stores nothing if a record is changed after its check", async () => {
    const database = await open();
    await using service = await startApp({ database });
    await makeProperty(service, { code: "A", name: "One" });
    const { id } = await preview(service.visitor(), "code,name,city\nA,One,Porto\nN,New,Porto\n");
    // New records are stored after the check and before the changed records.
    await editAfterInsert(database, "update property set city = 'Bergen', version = version + 1 where code = 'A'");
    const { state, fault } = await act(service.visitor(), id, "import");
    assert.equal(state, "ready");
    assert.match(fault!, /^A record was changed while the import ran\. Nothing was imported\. Try again\.$/);
    assert.deepEqual(await database.read.selectFrom("property").select(["code", "city"]).execute(), [{ code: "A", city: null }]);
  });
});

async function editAfterInsert(database: Database, edit: string): Promise<void> {
  const statements =
    (await database.describe()).engine === "SQLite"
      ? [`create trigger editing after insert on property when new.code = 'N' begin ${edit}; end`]
      : [
          `create function edit_property() returns trigger language plpgsql as $$ begin ${edit}; return null; end $$`,
          "create trigger editing after insert on property for each row when (new.code = 'N') execute function edit_property()",
        ];
  for (const statement of statements) await sql.raw(statement).execute(database.write);
}

eachEngine("undoing an import of properties", (open) => {
  test("undoing an import of properties removes them from connections, code mappings and alert rules", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const visitor = service.visitor();
    const { id } = await preview(visitor, "code,name\nA,One\nB,Two\nC,Three\n");
    await makeProperty(service, { code: "A1", name: "Other" });
    await act(visitor, id, "import");
    for (const [name, hotels] of [
      ["first", ["A", "A1"]],
      ["last", ["A1", "C", "B"]],
      ["only", ["B"]],
    ] as const)
      await addSender(database, { name, hotels });
    const row = { property: "A", group_name: null, kind: "silent", limit_value: 24, created_by: "test", created_at: 0 };
    await database.write.insertInto("alert_rule").values(row).execute();
    const codes = [
      { sender: "first", kind: "property", property: "", code: "X", target: "A" },
      { sender: "first", kind: "category", property: "A", code: "X", target: "DBL" },
      { sender: "first", kind: "property", property: "", code: "Y", target: "A1" },
    ] as const;
    await database.write.insertInto("sender_code").values(codes).execute();
    assert.equal((await act(visitor, id, "undo")).state, "undone");
    for (const [name, expected] of [
      ["first", ["A1"]],
      ["last", ["A1"]],
      ["only", []],
    ] as const)
      assert.deepEqual((await service.inject(`/dev/senders/${name}?format=json`)).json().properties, expected);
    assert.deepEqual(await database.read.selectFrom("sender_code").select("code").execute(), [{ code: "Y" }]);
    assert.deepEqual(await database.read.selectFrom("alert_rule").select("id").execute(), []);
  });
});

eachEngine("an import of rate plans", (open) => {
  test("an import creates and changes rate plans, and keeps the values that senders stored", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const control = 'Start="2026-11-20" End="2026-11-22" InvTypeCode="DBL" RatePlanCode="BAR"';
    await postMessage(service, rateMessage({ control, amounts: ['NumberOfGuests="2" AmountAfterTax="90"'] }));
    const before = await currentFile(service, "plan");
    const stored = () => service.database.read.selectFrom("rate_plan").selectAll().where("code", "=", "BAR").executeTakeFirstOrThrow();
    const { price_basis, sender, last_seen_at } = await stored();
    const visitor = service.visitor();
    const { id, kind, counts } = await preview(
      visitor,
      "Property,Rate plan code,Name,Meal plan\nALP,BAR,Best rate,\nALP,HB,Half board,12\n",
    );
    assert.deepEqual([kind, counts], ["plan", { new: 1, changed: 1, unchanged: 0, fault: 0 }]);
    await act(visitor, id, "import");
    const bar = await stored();
    assert.deepEqual([bar.name, bar.price_basis, bar.sender, bar.last_seen_at], ["Best rate", price_basis, sender, last_seen_at]);
    await act(visitor, id, "undo");
    assert.equal(await currentFile(service, "plan"), before);
  });
});

eachEngine("an interrupted import", (open) => {
  test("an interrupted import can be restarted, because nothing was stored", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const visitor = service.visitor();
    const { id } = await preview(visitor, "code,name\nA,One\n");
    await database.write.updateTable("import").set({ state: "importing" }).where("id", "=", id).execute();
    await claimJob(database, { name: `import ${id}`, everyMs: 1_000 }, service.clock.now());
    assert.equal((await readImport(visitor, `/tools/import/${id}`)).state, "importing");
    assert.match((await visitor.get(`/tools/import/${id}`)).headers.refresh as string, /^1$/);
    service.clock.set(service.clock.now() + 180_000);
    const { state, fault } = await readImport(visitor, `/tools/import/${id}`);
    assert.deepEqual([state, fault], ["ready", "The service stopped during this step. Nothing was changed. Try again."]);
    assert.equal((await act(visitor, id, "import")).state, "done");
    const { statusCode } = await visitor.post(`/tools/import/${id}`, { action: "import" });
    assert.equal(statusCode, 409);
  });
});

test("a partially uploaded file can only be discarded", async () => {
  await using service = await startApp();
  const visitor = service.visitor();
  const { id } = await preview(visitor, "code,name\nA,One\n");
  await service.database.write.updateTable("import").set({ state: "uploading" }).where("id", "=", id).execute();
  const url = `/tools/import/${id}`;
  assert.match((await visitor.get(url)).body, /This file hasn't finished uploading/);
  for (const action of ["read", "reread", "import", "undo"])
    assert.equal((await visitor.post(url, { action, c0: "code", c1: "name" })).statusCode, 409, action);
  assert.equal((await visitor.post(url, { action: "discard" })).statusCode, 303);
});

test("discarding a file during its upload leaves nothing behind", async () => {
  await using service = await startApp();
  const { read, write } = service.database;
  await sql`create trigger discarding after insert on import_part begin delete from import where id = new.import; end`.execute(write);
  for (const format of ["", "?format=json"]) {
    const visitor = service.visitor();
    await visitor.get("/tools/import");
    const { statusCode, body } = await visitor.post(`/tools/import${format}`, { action: "upload", text: "code,name\nA,One\n" });
    assert.equal(statusCode, 409, body);
    assert.match(body, /This file was discarded during its upload/);
  }
  assert.deepEqual(await read.selectFrom("import_part").select("import").execute(), []);
});

eachEngine("a bulk edit", (open) => {
  test("a bulk edit changes the rows that match a filter, and can be undone", async () => {
    await using service = await startApp({ database: await open() });
    for (const [code, city] of [
      ["A", "Merano"],
      ["B", "Merano"],
      ["C", "Porto"],
    ] as const)
      await makeProperty(service, { code, name: `Hotel ${code}`, city, groupName: "Old" });
    const before = await currentFile(service, "property");
    const visitor = service.visitor();
    const list = (await visitor.get("/property?q=merano")).body;
    const [, form = ""] = /href="(\/tools\/import\/edit[^"]*)"/.exec(list)!;
    assert.match((await visitor.get(form.replaceAll("&amp;", "&"))).body, /All that match the filter: 2 properties/);
    const edit = {
      action: "edit",
      kind: "property",
      q: "merano",
      rows: "all",
      "set-status": "inactive",
      "clear-groupName": "on",
      "set-assumeOpen": "off",
    };
    const { headers } = await visitor.post("/tools/import/edit", edit);
    const { id, counts, rows } = await readImport(visitor, headers.location!);
    assert.deepEqual(counts, { new: 0, changed: 2, unchanged: 0, fault: 0 });
    assert.deepEqual(
      rows[0]!.changes.map(({ field, from, to }) => `${field}: ${from} > ${to}`),
      ["status: active > inactive", "assumeOpen: on > ", "groupName: Old > "],
    );
    await act(visitor, id, "import");
    const { status, assumeOpen } = (await service.inject("/property/B?format=json")).json();
    assert.deepEqual([status, assumeOpen], ["inactive", false]);
    await act(visitor, id, "undo");
    assert.equal(await currentFile(service, "property"), before);
  });

  test("a bulk edit changes only the selected categories", async () => {
    await using service = await startApp({ database: await open() });
    await makeProperty(service, { code: "A", name: "Hotel" });
    for (const code of ["DBL", "SGL", "TPL"]) await makeCategory(service, { hotelCode: "A", code, name: code });
    const visitor = service.visitor();
    assert.match((await visitor.get("/category")).body, /formaction="\/tools\/import\/edit"/);
    const page = await visitor.get("/tools/import/edit?kind=category&chosen=A/DBL&chosen=A/TPL");
    assert.match(page.body, /Selected: 2 categories/);
    const edit = { action: "edit", kind: "category", chosen: ["A/DBL", "A/TPL"], rows: "chosen", "set-status": "inactive" };
    const { headers } = await visitor.post("/tools/import/edit", edit);
    const { rows } = await readImport(visitor, headers.location!);
    assert.deepEqual(
      rows.map(({ record, outcome }) => [record, outcome]),
      [
        ["A/DBL", "changed"],
        ["A/TPL", "changed"],
      ],
    );
  });

  test("a bulk edit refuses unknown codes and more rows than fit on a page", async () => {
    await using service = await startApp({ database: await open() });
    await makeProperty(service, { code: "A", name: "Hotel" });
    const visitor = service.visitor();
    await visitor.get("/tools/import/edit");
    const refusal = async (chosen: readonly string[]) => {
      const edit = { action: "edit", kind: "property", rows: "chosen", chosen, "set-status": "inactive" };
      const { statusCode, body } = await visitor.post("/tools/import/edit?format=json", edit);
      assert.equal(statusCode, 422, body);
      return JSON.parse(body).error.message as string;
    };
    assert.match(await refusal(["A", "B"]), /^Select rows in this list; it has no “B”$/);
    assert.match(await refusal(Array.from({ length: 150 }, (_, index) => `P${index}`)), /^Select at most 100 rows, not 150$/);
  });

  test("a bulk edit refuses invalid values before the preview", async () => {
    await using service = await startApp({ database: await open() });
    await makeProperty(service, { code: "A", name: "Hotel" });
    const visitor = service.visitor();
    const { body, statusCode } = await visitor.post("/tools/import/edit", {
      action: "edit",
      kind: "property",
      rows: "all",
      "set-horizonDays": "7",
    });
    assert.equal(statusCode, 422);
    assert.match(body, /Enter a booking horizon from 100 to 1100 days/);
    assert.match((await visitor.post("/tools/import/edit", { action: "edit", rows: "all" })).body, /Choose at least one new value/);
  });
});

test("an import lets the user choose a field for each unknown column, then reads the file", async () => {
  await using service = await startApp();
  const visitor = service.visitor();
  const { headers } = await visitor.post("/tools/import", { action: "upload", text: "Hotel-ID\tBezeichnung\tOrt\nA\tAlpenblick\tMeran\n" });
  const url = headers.location!;
  const page = textOf(await visitor.get(url));
  assert.match(page, /Hotel-ID A .* Bezeichnung Alpenblick .* Ort Meran/);
  const { kind, columns } = (await visitor.post(`${url}?format=json`, { action: "match", kind: "category" })).json();
  assert.deepEqual([kind, columns[0]], ["category", { name: "Hotel-ID", field: null }]);
  const refused = await visitor.post(url, { action: "read", kind: "property", c0: "", c1: "name", c2: "name" });
  assert.equal(refused.statusCode, 422);
  assert.match(refused.body, /Choose Name for one column only/);
  assert.match(refused.body, /Choose the column with the code of each property/);
  assert.equal((await visitor.post(url, { action: "read", kind: "property", c0: "code", c1: "name", c2: "city" })).statusCode, 303);
  const { state, rows } = await readImport(visitor, url);
  assert.equal(state, "ready");
  assert.deepEqual(rows[0]!.record, "A");
  assert.equal((await visitor.post(url, { action: "discard" })).statusCode, 303);
  assert.equal((await visitor.get(url)).statusCode, 404);
});

test("deletes imports after 30 days", async () => {
  await using service = await startApp();
  const { id } = await preview(service.visitor(), "code,name\nA,One\n");
  for (const [days, status] of [
    [29, 200],
    [31, 404],
  ] as const) {
    await pruneImports(service.database, service.clock.now() + (days - 30) * 86_400_000);
    assert.equal((await service.inject(`/tools/import/${id}`)).statusCode, status);
  }
});
