import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { startApp, type TestApp, type Visitor } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { textOf } from "../../../test/support/hotel.ts";

eachEngine("the property pages", (open) => {
  let service: TestApp;
  let visitor: Visitor;
  beforeEach(async () => {
    service = await startApp({ database: await open() });
    visitor = service.visitor();
  });
  afterEach(() => service.close());

  const create = (fields: Record<string, string>) => visitor.post("/property/new", fields);
  const fieldsOf = (body: string): Record<string, string> =>
    Object.fromEntries(
      [...body.matchAll(/<input(?![^>]*checkbox)[^>]*?name="(?!_csrf)(\w+)"[^>]*?value="([^"]*)"/g)].map(([, name, value]) => [
        name!,
        value!,
      ]),
    );
  const versionOf = (body: string) => /name="version" value="(\d+)"/.exec(body)?.[1] ?? "";

  test("offers to create the first property if the list is empty", async () => {
    const { body, statusCode } = await visitor.get("/property");
    assert.equal(statusCode, 200);
    assert.match(body, /No properties yet/);
    assert.match(body, /href="\/property\/new"/);
    assert.match(body, /npm run seed/);
  });

  test("redirects to the new property and confirms its creation once", async () => {
    const answer = await create({ code: "A1", name: "Hotel <Adler>", city: "Meran", description: "Old & good" });
    assert.equal(answer.statusCode, 303);
    assert.equal(answer.headers.location, "/property/A1");
    assert.equal((await visitor.head("/property/A1")).statusCode, 200, "HEAD keeps the confirmation");
    const record = (await visitor.get("/property/A1")).body;
    assert.match(record, /<h1>Hotel &lt;Adler&gt;<\/h1>/);
    assert.match(record, /Property A1 was created\./);
    assert.match(record, /Meran/);
    assert.match(record, /Old &amp; good/);
    assert.match(record, /No categories yet/);
    assert.doesNotMatch((await visitor.get("/property/A1")).body, /was created\./);
  });

  test("accepts a multipart form and ignores files", async () => {
    const token = /name="_csrf" value="([^"]+)"/.exec((await visitor.get("/property/new")).body)![1]!;
    const send = async (form: FormData) => {
      const request = new Request("http://127.0.0.1/", { method: "POST", body: form });
      const headers = { "content-type": request.headers.get("content-type")! };
      return visitor.send("/property/new", Buffer.from(await request.arrayBuffer()), headers);
    };
    const form = new FormData();
    for (const [name, value] of Object.entries({ _csrf: token, code: "A1", name: 'Hôtel "Aigle" 🦅' })) form.append(name, value);
    for (const value of ["", "on"]) form.append("knownPlansOnly", value);
    form.append("photo", new Blob(["bytes"]), "a.jpg");
    assert.equal((await send(form)).headers.location, "/property/A1");
    const stored = (await visitor.get("/property/A1?format=json")).json();
    assert.deepEqual([stored.name, stored.knownPlansOnly], ['Hôtel "Aigle" 🦅', true]);

    form.set("code", "A2");
    form.set("_csrf", "wrong");
    assert.equal((await send(form)).statusCode, 403);
    form.set("_csrf", token);
    form.set("notes", "x".repeat(1024 * 1024));
    assert.equal((await send(form)).statusCode, 413);
    for (const type of ["multipart/form-data", "multipart/form-data; boundary=x"])
      assert.equal((await visitor.send("/property/new", "code=A2", { "content-type": type })).statusCode, 400, type);
    assert.equal((await visitor.get("/property/A2")).statusCode, 404);
  });

  test("refuses text that is not UTF-8", async () => {
    const token = /name="_csrf" value="([^"]+)"/.exec((await visitor.get("/property/new")).body)![1]!;
    const part = (name: string, value: string) => `------form\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const sent = [
      ["application/x-www-form-urlencoded", `_csrf=${token}&code=A1&name=Caf%E9`],
      ["application/x-www-form-urlencoded; charset=iso-8859-1", `_csrf=${token}&code=A1&name=Café`],
      ["multipart/form-data; boundary=----form", `${part("_csrf", token)}${part("code", "A1")}${part("name", "Café")}------form--\r\n`],
    ] as const;
    for (const [type, body] of sent) {
      const answer = await visitor.send("/property/new", Buffer.from(body, "latin1"), { "content-type": type, accept: "application/json" });
      assert.deepEqual([answer.statusCode, Object.keys(answer.json().errors ?? {})], [422, ["name"]], type);
    }
  });

  test("returns errors and conflicts as JSON on request", async () => {
    const send = async (url: string, fields: Record<string, string>) => {
      const answer = await visitor.post(url, fields, { accept: "application/json" });
      return [answer.statusCode, answer.headers["content-type"] && answer.json()];
    };
    const name = "Enter a name of up to 128 characters";
    assert.deepEqual(await send("/property/new", { code: "A1" }), [422, { errors: { name } }]);
    assert.deepEqual(await send("/property/new", { code: "A1", name: "First" }), [303, undefined]);
    assert.deepEqual(await send("/property/A1/edit", { name: "" }), [422, { errors: { name } }]);
    const [status, { errors }] = (await send("/property/A1/edit", { name: "Second", version: "7" })) as [number, { errors: object }];
    assert.deepEqual([status, Object.keys(errors)], [422, ["version"]]);
    assert.deepEqual(Object.keys((await send("/category/new", { code: "DBL" }))[1].errors), ["hotelCode", "name"]);
    await send("/category/new", { hotelCode: "A1", code: "DBL", name: "Double" });
    assert.deepEqual(Object.keys((await send("/category/A1/DBL/edit", { rooms: "-1" }))[1].errors), ["rooms"]);
    assert.deepEqual(Object.keys((await send("/category/A1/DBL/edit", { rooms: "2", version: "7" }))[1].errors), ["version"]);
  });

  test("refuses a code that is already in use", async () => {
    await create({ code: "A1", name: "First" });
    const answer = await create({ code: "A1", name: "Second", city: "Bozen" });
    assert.equal(answer.statusCode, 422);
    assert.match(answer.body, /id="e-code">Choose another code; property A1 already exists/);
    assert.match(answer.body, /value="Bozen"/);
    assert.match((await visitor.get("/property/A1")).body, /<h1>First<\/h1>/);
  });

  test("accepts only one of two concurrent creations with the same code", async () => {
    const answers = await Promise.all([create({ code: "A1", name: "One" }), create({ code: "A1", name: "Two" })]);
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).toSorted(), [303, 422]);
  });

  test("stores an edit and records it in the history", async () => {
    await create({ code: "A1", name: "Before", phone: "123" });
    const form = (await visitor.get("/property/A1/edit")).body;
    assert.match(form, /value="A1"[^>]*readonly/);
    assert.match(form, /Cannot be changed/);
    const answer = await visitor.post("/property/A1/edit", { version: versionOf(form), name: "After", phone: "", assumeOpen: "" });
    assert.equal(answer.statusCode, 303);
    assert.equal(answer.headers.location, "/property/A1");
    const record = (await visitor.get("/property/A1")).body;
    assert.match(record, /Property A1 was saved\./);
    assert.match(record, /Name: <del>Before<\/del> to <ins>After<\/ins>/);
    assert.match(record, /Phone: <del>123<\/del> to <ins>nothing<\/ins>/);
    assert.match(record, /Changed by anonymous \(open access\)/);
    const stored = (await visitor.get("/property/A1?format=json")).json();
    assert.equal(stored.assumeOpen, false);
    assert.equal(stored.phone, undefined);
    assert.equal(stored.version, 2);
  });

  test("ignores a changed code", async () => {
    await create({ code: "A1", name: "Adler" });
    await visitor.post("/property/A1/edit", { code: "B1", name: "Renamed" });
    assert.equal((await visitor.get("/property/B1")).statusCode, 404);
    assert.match((await visitor.get("/property/A1")).body, /<h1>Renamed<\/h1>/);
  });

  test("writes nothing if no value changed", async () => {
    await create({ code: "A1", name: "Adler" });
    const form = (await visitor.get("/property/A1/edit")).body;
    assert.equal((await visitor.post("/property/A1/edit", { version: versionOf(form), name: "Adler" })).statusCode, 303);
    assert.match((await visitor.get("/property/A1")).body, /Property A1 has no changes to save/);
    assert.equal((await visitor.get("/property/A1?format=json")).json().version, 1);
  });

  test("shows both values after a conflict and accepts a second save", async () => {
    await create({ code: "A1", name: "Adler", city: "Meran" });
    const version = versionOf((await visitor.get("/property/A1/edit")).body);
    await visitor.post("/property/A1/edit", { version, name: "Theirs" });
    const refused = await visitor.post("/property/A1/edit", { version, name: "Mine", city: "Meran" });
    assert.equal(refused.statusCode, 422);
    assert.match(refused.body, /<title>Error: /);
    assert.match(refused.body, /<td>Theirs<\/td>\s*<td>Mine<\/td>/);
    assert.match(refused.body, /name="name"[^>]*value="Mine"/);
    assert.equal((await visitor.get("/property/A1?format=json")).json().name, "Theirs");
    const again = await visitor.post("/property/A1/edit", { version: versionOf(refused.body), name: "Mine" });
    assert.equal(again.statusCode, 303);
    assert.equal((await visitor.get("/property/A1?format=json")).json().name, "Mine");
  });

  test("keeps values saved by other users in unchanged fields", async () => {
    await create({ code: "A1", name: "Adler", city: "Meran", phone: "1" });
    const mine = fieldsOf((await visitor.get("/property/A1/edit")).body);
    await visitor.post("/property/A1/edit", { ...mine, phone: "+39 1", city: "Bozen" });
    const refused = await visitor.post("/property/A1/edit", { ...mine, name: "Mine", city: "Merano" });
    assert.equal(refused.statusCode, 422);
    for (const row of [
      ["Adler", "Mine", "yours"],
      ["Bozen", "Merano", "yours"],
      ["[+]39 1", "1", "the stored value"],
    ])
      assert.match(refused.body, new RegExp(row.map((cell) => `<td>${cell}</td>`).join("\\s*")));
    const again = fieldsOf(refused.body);
    assert.deepEqual([again.name, again.city, again.phone], ["Mine", "Merano", "+39 1"]);
    assert.equal((await visitor.post("/property/A1/edit", again)).statusCode, 303);
    const { name, city, phone, version } = (await visitor.get("/property/A1?format=json")).json();
    assert.deepEqual({ name, city, phone, version }, { name: "Mine", city: "Merano", phone: "+39 1", version: 3 });
  });

  test("shows where long values differ, in a conflict and in the history", async () => {
    const text = (end: string) => `${"A quiet house above the lake. ".repeat(10)}🦅 ${end}`;
    await create({ code: "A1", name: "Adler", description: text("Closed in March.") });
    const mine = fieldsOf((await visitor.get("/property/A1/edit")).body);
    await visitor.post("/property/A1/edit", { ...mine, description: text("Closed in April.") });
    const refused = await visitor.post("/property/A1/edit", { ...mine, description: text("Closed in May. Dogs stay for free.") });
    assert.match(
      textOf(refused),
      /Description … above the lake\. 🦅 Closed in April\. Show full text A quiet house .* in April\. … above the lake\. 🦅 Closed in May\. Dogs stay for free\. yours/,
    );
    const changed = textOf(await visitor.get("/property/A1"));
    assert.match(changed, /Description: … above the lake\. 🦅 Closed in March\. to … above the lake\. 🦅 Closed in April\./);
  });

  test("shows who made the conflicting change, and when", async () => {
    await create({ code: "A1", name: "Adler" });
    await visitor.post("/property/A1/edit", { version: "1", name: "First" });
    const refused = textOf(await visitor.post("/property/A1/edit", { version: "1", name: "Second" }));
    assert.match(
      refused,
      /This record was changed while the form was open Nothing was saved: it was changed at [-\d]+ [:\d]+ by anonymous \(open access\)\./,
    );
    assert.doesNotMatch(refused, /Somebody else/);
    assert.match(refused, /Compare the values, then save again\. Field Stored now Yours In the form Name First Second yours/);
  });

  test("remembers which fields are unchanged after an edit is refused", async () => {
    await create({ code: "A1", name: "Adler", phone: "1" });
    const mine = fieldsOf((await visitor.get("/property/A1/edit")).body);
    await visitor.post("/property/A1/edit", { ...mine, phone: "2" });
    const wrong = fieldsOf((await visitor.post("/property/A1/edit", { ...mine, name: "" })).body);
    const conflicting = fieldsOf((await visitor.post("/property/A1/edit", { ...wrong, name: "Mine" })).body);
    assert.deepEqual([conflicting.name, conflicting.phone], ["Mine", "2"]);
  });

  test("accepts the same edit twice", async () => {
    await create({ code: "A1", name: "Adler" });
    const edit = { version: "1", name: "Both" };
    assert.equal((await visitor.post("/property/A1/edit", edit)).statusCode, 303);
    assert.equal((await visitor.post("/property/A1/edit", edit)).statusCode, 303);
    assert.match((await visitor.get("/property/A1")).body, /Property A1 has no changes to save/);
    assert.equal((await visitor.get("/property/A1?format=json")).json().version, 2);
  });

  test("fills in the form with the values from before a change and stores them when saved", async () => {
    await create({ code: "A1", name: "Adler", city: "Meran", assumeOpen: "on" });
    await create({ code: "A2", name: "Bär" });
    await visitor.post("/property/A1/edit", { name: "Adler", city: "Bozen", phone: "1", assumeOpen: "" });
    await visitor.post("/property/A1/edit", { name: "Neu" });
    const links = [...(await visitor.get("/property/A1")).body.matchAll(/href="(\/property\/A1\/edit\?restore=\d+)"/g)].map(
      (link) => link[1]!,
    );
    assert.equal(links.length, 2, "the creation cannot be reverted");
    const restored = await visitor.get(links[1]!);
    assert.match(
      restored.body,
      /the values from before the change made on[^]*: City, Treat nights as open by default, Phone\. Nothing has been saved yet/,
    );
    assert.match(restored.body, /data-unsaved="typed"/);
    assert.match(restored.body, /id="f-assumeOpen"[^>]*checked/);
    const form = fieldsOf(restored.body);
    assert.deepEqual([form.name, form.city, form.phone], ["Neu", "Meran", ""]);
    assert.equal((await visitor.get("/property/A1?format=json")).json().city, "Bozen");
    assert.equal((await visitor.post("/property/A1/edit", form)).statusCode, 303);
    assert.equal((await visitor.get("/property/A1?format=json")).json().city, "Meran");
    for (const other of [
      `/property/A2/edit?restore=${links[1]!.split("=")[1]}`,
      "/property/A1/edit?restore=x",
      "/property/A1/edit?restore=999",
    ])
      assert.doesNotMatch((await visitor.get(other)).body, /Nothing has been saved yet/, other);
  });

  test("sets the text direction automatically", async () => {
    const { body } = await visitor.get("/property/new");
    for (const field of [/<input\s[^>]*name="name"[^>]*>/, /<textarea [^>]*name="description"[^>]*>/])
      assert.match(field.exec(body)?.[0] ?? "", /dir="auto"/);
  });

  test("shows the newest 20 changes, or all changes on request", async () => {
    await create({ code: "A1", name: "Adler" });
    for (let number = 1; number <= 21; number++) await visitor.post("/property/A1/edit", { name: `Adler ${number}` });
    const shown = (body: string) => body.match(/ Changed by anonymous \(open access\)/g)?.length;
    const { body } = await visitor.get("/property/A1");
    assert.equal(shown(body), 20);
    assert.match(body, /href="\?history=all#history">Show older changes/);
    const all = (await visitor.get("/property/A1?history=all")).body;
    assert.equal(shown(all), 21);
    assert.match(all, /Initial values/);
    assert.doesNotMatch(all, /Show older changes/);
  });

  test("shows labels instead of stored values in the history and in conflicts", async () => {
    await create({ code: "A1", name: "Adler", propertyType: "20", assumeOpen: "on", country: "IT" });
    const mine = fieldsOf((await visitor.get("/property/A1/edit")).body);
    await visitor.post("/property/A1/edit", { ...mine, propertyType: "16", assumeOpen: "", pricesIncludeTax: "on", country: "" });
    const { body } = await visitor.get("/property/A1");
    for (const change of ["Type: <del>Hotel</del> to <ins>Guest house</ins>", "open by default: <del>Yes</del> to <ins>No</ins>"])
      assert.ok(body.includes(change), change);
    assert.match(body, /Country: <del>Italy<\/del> to <ins>nothing</);
    await visitor.post("/property/A1/edit", { assumeOpen: "on" });
    assert.match((await visitor.get("/property/A1")).body, /open by default: <del>No<\/del> to <ins>Yes</);
    const refused = await visitor.post("/property/A1/edit", { ...mine, propertyType: "3", pricesIncludeTax: "", country: "AT" });
    assert.equal(refused.statusCode, 422);
    for (const row of [
      ["Guest house", "Apartment"],
      ["nothing", "Austria"],
    ])
      assert.match(refused.body, new RegExp(row.map((cell) => `<td>${cell}</td>`).join("\\s*")));
  });

  test("accepts the same edit several times concurrently", async () => {
    await create({ code: "A1", name: "Before" });
    const edit = { version: "1", name: "All" };
    const answers = await Promise.all(Array.from({ length: 4 }, () => visitor.post("/property/A1/edit", edit)));
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      [303, 303, 303, 303],
    );
    assert.equal((await visitor.get("/property/A1?format=json")).json().version, 2);
  });

  test("returns the same JSON for the form as for the page", async () => {
    await create({ code: "A1", name: "Seeblick" });
    const [page, form] = await Promise.all(["", "/edit"].map((end) => visitor.get(`/property/A1${end}?format=json`)));
    assert.deepEqual(form!.json(), page!.json());
  });

  test("stores exactly one of eight concurrent edits of the same version", async () => {
    await create({ code: "A1", name: "Adler" });
    await visitor.get("/property/A1/edit");
    const edits = Array.from({ length: 8 }, (_, index) => visitor.post("/property/A1/edit", { version: "1", name: `Adler ${index}` }));
    const statuses = (await Promise.all(edits)).map(({ statusCode }) => statusCode);
    assert.deepEqual(statuses.toSorted(), [303, ...Array<number>(7).fill(422)]);
    const { name, version } = (await visitor.get("/property/A1?format=json")).json<{ name: string; version: number }>();
    assert.deepEqual({ name, version }, { name: `Adler ${statuses.indexOf(303)}`, version: 2 });
  });

  test("does not show an earlier confirmation after a later edit is refused", async () => {
    await create({ code: "A1", name: "Adler" });
    assert.equal((await visitor.post("/property/A1/edit", { version: "1", name: "Adler One" })).statusCode, 303);
    const refused = await visitor.post("/property/A1/edit", { version: "1", name: "Adler Two" });
    assert.equal(refused.statusCode, 422);
    assert.doesNotMatch(refused.body, /Property A1 was (?:created|saved)/);
    assert.match((await visitor.get("/property/A1")).body, /Property A1 was saved\./, "confirmed on the target page");
  });

  test("keeps the version of a refused edit so that a conflict is still detected", async () => {
    await create({ code: "A1", name: "Adler" });
    await visitor.post("/property/A1/edit", { version: "1", name: "Theirs" });
    const refused = await visitor.post("/property/A1/edit", { version: "1", name: "" });
    assert.equal(refused.statusCode, 422);
    assert.equal(versionOf(refused.body), "1");
    assert.equal((await visitor.post("/property/A1/edit", { version: "one", name: "Mine" })).statusCode, 422);
  });

  test("treats an invalid version as a conflict", async () => {
    await create({ code: "A1", name: "Adler" });
    for (const version of ["one", "1.5", "-1", "Infinity"]) {
      const refused = await visitor.post("/property/A1/edit", { version, name: "" });
      assert.equal(refused.statusCode, 422);
      assert.equal(versionOf(refused.body), "0", version);
    }
    assert.equal((await visitor.post("/property/A1/edit", { version: "0", name: "Mine" })).statusCode, 422);
  });

  test("returns 404 for an unknown property", async () => {
    for (const url of ["/property/X", "/property/X/edit", "/property/%00", "/property/a%20b"]) {
      const answer = await visitor.get(url);
      assert.equal(answer.statusCode, 404, url);
    }
    assert.match((await visitor.get("/property/X")).body, /Property &#39;X&#39; not found/);
    await visitor.get("/property/new");
    assert.equal((await visitor.post("/property/X/edit", { name: "Adler" })).statusCode, 404);
  });

  test("treats HEAD like GET", async () => {
    await create({ code: "A1", name: "Adler" });
    for (const url of ["/property", "/property/new", "/property/A1", "/property/A1/edit"]) {
      const answer = await service.inject({ method: "HEAD", url });
      assert.equal(answer.statusCode, 200, url);
      assert.equal(answer.body, "", url);
    }
  });

  test("shows an invalid time as it was typed", async () => {
    const { body } = await create({ code: "A1", name: "Adler", checkInFrom: "25:00", checkInUntil: "18:00" });
    assert.match(body, /name="checkInFrom"\s+type="text"[^>]*value="25:00"/);
    assert.match(body, /name="checkInUntil"\s+type="time"[^>]*value="18:00"/);
  });

  test("uses the singular for one star and the plural otherwise", async () => {
    for (const [stars, words] of Object.entries({ "0.5": "0.5 stars", "1": "1 star", "2": "2 stars" })) {
      await create({ code: `S${stars.replace(".", "-")}`, name: "Stern", stars });
      const { body } = await visitor.get(`/property/S${stars.replace(".", "-")}`);
      assert.match(body, new RegExp(`>${words}<`));
    }
  });

  test("refuses a form without a token", async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const answer = await service.inject({ method: "POST", url: "/property/new", headers, payload: "code=A1&name=Adler" });
    assert.equal(answer.statusCode, 403);
    assert.equal((await visitor.get("/property/A1")).statusCode, 404);
  });
});
