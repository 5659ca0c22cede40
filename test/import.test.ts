import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fillDatabase } from "../src/cli/seed/fill.ts";
import { startApp, type TestApp } from "./support/app.ts";
import { eachEngine } from "./support/databases.ts";
import { countMessage, makeCategory, makeHotel, makeProperty, postMessage, rateMessage } from "./support/hotel.ts";
import { act, currentFile, type ImportJson, preview, readImport, previewFile, sendFile } from "./support/imports.ts";

eachEngine("the round trip", (open) => {
  test("importing exported files into an empty installation recreates the same files", async () => {
    await using first = await startApp({ database: await open() });
    await fillDatabase(
      first.database,
      { properties: 30, categories: 8, plans: 0, nights: 0, errors: 0, messages: 0 },
      { now: 0, progress: () => {} },
    );
    await makeHostile(first);
    await using second = await startApp({ database: await open() });
    const visitor = second.visitor();
    for (const kind of ["property", "category"]) {
      const file = await currentFile(first, kind);
      const { id, counts } = await preview(visitor, file);
      assert.equal(counts.fault, 0, JSON.stringify(await readImport(visitor, `/tools/import/${id}`)));
      await act(visitor, id, "import");
      assert.equal(await currentFile(second, kind), file);
      const list = `/${kind}?format=csv&sort=${kind === "property" ? "code" : "hotelCode"}`;
      assert.equal((await second.inject(list)).body, (await first.inject(list)).body);
      const again = await preview(first.visitor(), file);
      assert.deepEqual(again.counts, { new: 0, changed: 0, unchanged: file.split("\r\n").length - 2, fault: 0 });
    }
  });

  test("imports the CSV and JSON exports of the lists without changing any records", async () => {
    await using service = await startApp({ database: await open() });
    await makeHostile(service, { code: "H1" });
    for (const url of ["/property?format=csv", "/category?format=csv", "/property?format=json", "/category?format=json"]) {
      const { body } = await service.inject(url);
      const { counts } = await preview(service.visitor(), body);
      assert.deepEqual({ ...counts, unchanged: 0 }, { new: 0, changed: 0, unchanged: 0, fault: 0 }, url);
      assert.ok(counts.unchanged! > 0, url);
    }
  });
});

/** Values that spreadsheets would change or execute. */
async function makeHostile(service: TestApp, { code = "H:1" } = {}): Promise<void> {
  const texts = { name: "=1+1", city: "+39;=x", street: "'=1", notes: 'a;\n\'=b\n"c"', contactName: "-", groupName: "@g", region: "''+" };
  await makeProperty(service, { code, ...texts, latitude: "0.0000001", longitude: "-33.860", description: "x,\n;y\n=z" });
  await makeCategory(service, {
    hotelCode: code,
    code: "=SUM(A1)",
    name: "-5",
    rooms: "0",
    size: "24.50",
    sortOrder: "-3",
    smoking: "on",
    beds: "'",
  });
  await makeCategory(service, {
    hotelCode: code,
    code: "Zürich 1;2",
    name: "＝Suite",
    photos: "https://a.example/1\nhttps://a.example/2",
    amenities: "2, 13",
  });
}

type Fault = ImportJson["rows"][number]["faults"][number];

const CELLS = [
  "",
  "=1+1",
  "x".repeat(200),
  "Inactive",
  "nonsense",
  "IT",
  "-1",
  "true",
  "a\u0000b",
  "\u202e",
  '"',
  ";",
  "Ünï",
  "46.5",
  "on",
  "UTC",
];
const HEADER = [
  "code",
  "name",
  "status",
  "country",
  "timeZone",
  "currency",
  "horizonDays",
  "latitude",
  "longitude",
  "minChildAge",
  "assumeOpen",
  "email",
];

eachEngine("random edits of a file", (open) => {
  test("randomly edited files are imported completely or not at all, and each error gives its position and the allowed values", async () => {
    await using service = await startApp({ database: await open() });
    for (const code of ["A", "B", "C"]) await makeProperty(service, { code, name: `Hotel ${code}` });
    const visitor = service.visitor();
    const row = fc.tuple(
      fc.constantFrom("A", "B", "C", "D", "a", "E", "", "no code"),
      fc.array(fc.constantFrom("Hotel", ...CELLS), { maxLength: 11, minLength: 11 }),
    );
    const property = fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 6 }), async (rows) => {
      const before = await currentFile(service, "property");
      const found = await preview(visitor, toCsv(rows.map(([code, cells]) => [code, ...cells])));
      for (const { faults, row: number } of found.rows) for (const fault of faults) assertClear(fault, number);
      const { counts } = found;
      await visitor.get(`/tools/import/${found.id}`);
      const { statusCode } = await visitor.post(`/tools/import/${found.id}`, { action: "import" });
      const isRefused = counts.fault! > 0 || counts.new! + counts.changed! === 0;
      assert.equal(statusCode, isRefused ? 409 : 303);
      const after = await currentFile(service, "property");
      if (isRefused) return assert.equal(after, before);
      assert.equal(linesOf(after), linesOf(before) + counts.new!);
      assert.equal((await act(visitor, found.id, "undo")).state, "undone");
      return assert.equal(await currentFile(service, "property"), before);
    });
    await fc.assert(property, { numRuns: 25, seed: 38 });
  });
});

function toCsv(rows: readonly (readonly string[])[]): string {
  const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  return [HEADER, ...rows].map((row) => row.map(quote).join(",")).join("\n");
}

function linesOf(file: string): number {
  return file.split("\r\n").length;
}

function assertClear({ column, problem }: Fault, row: number): void {
  assert.ok(row > 1);
  assert.ok(HEADER.includes(column), column);
  assert.match(problem, /^(Enter|Choose|Keep|Remove|Row \d+ has the same code|This code differs from|This row has)/);
}

eachEngine("an import", (open) => {
  test("reports each error with its row, column, value and allowed values", async () => {
    await using service = await startApp({ database: await open() });
    await makeProperty(service, { code: "ALP", name: "Alpenblick" });
    const text = "Hotel code;Name;Country;Currency\nalp;Other;IT;EUR\nB;;Italien;EUR\nC;C;IT;EUR\nC;C;IT;EUR\nc;C;it;\nX/Y;x;IT;EUR;more\n";
    const { rows, id } = await preview(service.visitor(), text);
    assert.deepEqual(
      rows.flatMap(({ row, faults }) => faults.map(({ column, value, problem }) => `${row} ${column} ${value}: ${problem}`)),
      [
        "2 Hotel code alp: This code differs from property ALP only in upper and lower case. Enter ALP to change that property, or choose another code. You can create properties with such codes only in the form",
        "3 Name : Enter a name of up to 128 characters",
        "3 Country Italien: Enter a two-letter country code, such as IT",
        "5 Hotel code C: Row 4 has the same code. Keep one row for each code",
        "6 Hotel code c: This code differs from C in row 4 only in upper and lower case. Keep one of the rows",
        "7 Column 5 more: This row has 5 cells, but the header has 4. Put cells that contain the delimiter in quotes",
        "7 Hotel code X/Y: Enter a code of up to 64 letters, digits or _ . ~ : -, starting with a letter, digit or _",
      ],
    );
    const { body } = await service.inject(`/tools/import/${id}`);
    assert.match(body, /5 rows can’t be imported/);
    assert.doesNotMatch(body, /value="import"/);
  });

  test("refuses categories of unknown properties, and a new currency for a property with prices", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const control = 'Start="2026-11-20" End="2026-11-22" InvTypeCode="DBL" RatePlanCode="BAR"';
    await postMessage(service, rateMessage({ control, amounts: ['NumberOfGuests="2" AmountAfterTax="90"'] }));
    const visitor = service.visitor();
    const categories = await preview(visitor, "property,code,name\nNONE,DBL,Double\nALP,TPL,Triple\n");
    assert.equal(categories.kind, "category");
    assert.match(categories.rows[0]!.faults[0]!.problem, /^Enter the code of an existing property/);
    const properties = await preview(visitor, "code,name,currency\nALP,Alpenblick,USD\n");
    assert.equal(properties.rows[0]!.faults[0]!.problem, "Keep EUR, because property ALP has prices in this currency");
  });

  test("refuses to change the currency of a property that has received prices since the preview or the import", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const visitor = service.visitor();
    const { id: done } = await preview(visitor, "code,currency\nALP,USD\n");
    await act(visitor, done, "import");
    const { id: ready } = await preview(visitor, "code,currency\nALP,CHF\n");
    const control = 'Start="2026-11-20" End="2026-11-22" InvTypeCode="DBL" RatePlanCode="BAR"';
    await postMessage(service, rateMessage({ control, currency: "USD", amounts: ['NumberOfGuests="2" AmountAfterTax="90"'] }));
    const problem = "The currency of property ALP cannot be changed, because the property has prices.";
    assert.equal((await act(visitor, ready, "import")).fault, `${problem} Nothing was imported.`);
    assert.equal((await act(visitor, done, "undo")).fault, `${problem} Nothing was undone.`);
    assert.equal((await service.inject("/property/ALP?format=json")).json().currency, "USD");
  });

  test("refuses to undo the import of a category that has inventories", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const visitor = service.visitor();
    const { id } = await preview(visitor, "property,code,name,rooms\nALP,TPL,Triple,5\n");
    await act(visitor, id, "import");
    await postMessage(service, countMessage({ control: 'Start="2026-11-20" End="2026-11-22" InvTypeCode="TPL"', counts: [[2, 3]] }));
    assert.match((await act(visitor, id, "undo")).fault!, /^Category ALP\/TPL cannot be deleted, because it has inventories/);
  });
});

test("reads all common encodings and delimiters", async () => {
  await using service = await startApp();
  const visitor = service.visitor();
  const table = (delimiter: string) => `${["code", "name", "city"].join(delimiter)}\r\nZ1${delimiter}Hôtel “Süd”${delimiter}Zürich\r\n`;
  const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);
  const windows = (text: string) => Buffer.from(text.replaceAll("“", "\u0093").replaceAll("”", "\u0094"), "latin1");
  const files = {
    "UTF-8": Buffer.from(table(",")),
    "UTF-8 with a byte order mark": Buffer.from(`\ufeff${table(";")}`),
    "UTF-16 as Excel writes it": utf16(table("\t")),
    "big-endian UTF-16": utf16(table("\t")).swap16(),
    "UTF-16 without a mark": Buffer.from(table(","), "utf16le"),
    "Windows-1252": windows(table(";")),
    "a rare delimiter": Buffer.from(table("^")),
    "Excel's separator line": Buffer.from(`sep=|\r\n${table("|")}`),
  };
  for (const [name, bytes] of Object.entries(files)) {
    const { rows } = await previewFile(visitor, bytes);
    assert.deepEqual(
      rows.flatMap(({ changes }) => changes.filter(({ field }) => ["name", "city"].includes(field)).map(({ to }) => to)),
      ["Hôtel “Süd”", "Zürich"],
      name,
    );
  }
});

test("refuses a time that does not exist, and shows the start of a long value", async () => {
  await using service = await startApp();
  const { rows } = await preview(
    service.visitor(),
    `code,name,createdAt,notes\nA,One,2026-02-30T09:00:00Z,\nB,Two,,${"x".repeat(900_000)}\n`,
  );
  const [[time], [notes]] = rows.map(({ faults }) => faults) as [Fault[], Fault[]];
  assert.match(time!.problem, /^Enter a time in UTC/);
  assert.ok(notes!.value.startsWith("xxx") && notes!.value.length < 300);
});

test("reads emoji anywhere in a file", async () => {
  await using service = await startApp();
  const rows = Array.from({ length: 40 }, (_, index) => `P${index},Hotel,${"😀".repeat(900)}`).join("\n");
  for (const name of ["1", "12", "123", "1234"]) {
    const { counts } = await preview(service.visitor(), `code,name,notes\nA,${name},\n${rows}\n`);
    assert.deepEqual(counts, { new: 41, changed: 0, unchanged: 0, fault: 0 });
  }
});

test("reads every record of a long JSON file", async () => {
  await using service = await startApp();
  const records = Array.from({ length: 450 }, (_, index) => ({ code: `P${index}`, name: `Hotel ${index}` }));
  const { counts } = await preview(service.visitor(), JSON.stringify([...records, { code: "Z", name: "Last", city: "Porto" }]));
  assert.deepEqual(counts, { new: 451, changed: 0, unchanged: 0, fault: 0 });
});

test("refuses files that aren't tables, and explains why", async () => {
  await using service = await startApp();
  const visitor = service.visitor();
  await visitor.get("/tools/import");
  const refusal = async (text: string) => {
    const { statusCode, body } = await visitor.post("/tools/import?format=json", { action: "upload", text });
    assert.equal(statusCode, 422, body);
    return JSON.parse(body).errors.file as string;
  };
  assert.match(await refusal("   "), /^Choose a file, or paste rows$/);
  assert.match(await refusal("{ bad json"), /^The file is not valid JSON: /);
  assert.match(await refusal('{"hotels": []}'), /^The file does not contain a list of records/);
  assert.match(await refusal("[1]"), /^Record 1 of the list is not an object$/);
  assert.match(await refusal(`[${"{},".repeat(100_000)}{}]`), /^The file has more than 100,000 rows/);
  const startedAt = performance.now();
  const manyKeys = Array.from({ length: 9_000 }, (_, index) => ({ [`k${index}`]: 1 }));
  assert.match(await refusal(JSON.stringify(manyKeys)), /^The header has more than 500 columns$/);
  assert.ok(performance.now() - startedAt < 5_000);
  for (const [bytes, expected] of [
    ["PK\u0003\u0004rest", /Excel workbook/],
    ["%PDF-1.7", /PDF file/],
    ["a,b\u0000c", /not a text file/],
  ] as const)
    assert.match((await sendFile(visitor, Buffer.from(bytes))).body, expected);
  const table = Buffer.from("code,name\nA,One\n");
  const { statusCode, body } = await sendFile(visitor, table, table);
  assert.equal(statusCode, 422);
  assert.match(body, /Choose only one file/);
  const faults = {
    'code,name\nA,"x\n': /^Row 2: A quoted cell has no closing quote/,
    'code,name\nA,"x" y\n': /^Row 2: A quoted cell has text after its closing quote/,
    "code,name\n": /^The file has no rows below its header/,
  };
  for (const [text, expected] of Object.entries(faults)) {
    const found = await preview(visitor, text);
    assert.equal(found.state, "columns");
    assert.match(found.fault!, expected);
  }
});

test("refuses a file over the limit before reading it", async () => {
  await using service = await startApp();
  const headers = { "content-type": "multipart/form-data; boundary=x", "content-length": String(201 * 1024 * 1024) };
  const { statusCode, body } = await service.inject({ method: "POST", url: "/tools/import?format=json", headers, payload: "x" });
  assert.equal(statusCode, 413);
  assert.match(body, /exceeds the limit of 200 MB/);
});
