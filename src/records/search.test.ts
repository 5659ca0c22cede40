import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp, type TestApp } from "../../test/support/app.ts";
import { eachEngine } from "../../test/support/databases.ts";
import { makeProperty } from "../../test/support/hotel.ts";
import { completeRecords } from "./migrate.ts";

const SEARCHES: readonly (readonly [name: string, ...typed: string[]])[] = [
  ["Schloss Weißenhaus", "weissen", "Weiße", "SCHLOSS WEISSENHAUS"],
  ["Ørsted Sø", "orsted so", "ørsted"],
  ["Łódź", "lodz", "łódź"],
  ["Æblehaven", "aeble"],
  ["Wellnesshotel", "hotel", "NESS"],
  ["Παλάς", "παλασ", "ΠΑΛΑΣ", "παλάς"],
  ["Παλάστρα", "ΠΑΛΑΣ"],
  ["東京ホテル", "東京", "ホテル", "ﾎﾃﾙ", "京ホテル", "ホテル 東京"],
  ["グランド銀座", "銀座", "グランド"],
  ["北京饭店", "北京", "饭店"],
  ["서울호텔", "서울", "호텔"],
  ["โรงแรมริเวอร์", "โรงแรม", "ริเวอร์"],
];

eachEngine("the search", (open) => {
  const found = async (service: TestApp, typed: string): Promise<string[]> => {
    const { properties } = (await service.inject(`/property?format=json&q=${encodeURIComponent(typed)}`)).json();
    return properties.map(({ name }: { name: string }) => name);
  };

  test("finds names with special letters as people type them, and finds words in text without spaces", async () => {
    await using service = await startApp({ database: await open() });
    for (const [index, [name]] of SEARCHES.entries()) await makeProperty(service, { code: `P${index}`, name });
    for (const [name, ...typed] of SEARCHES)
      for (const one of typed) assert.ok((await found(service, one)).includes(name), `${one}: ${name}`);
  });

  test("finds a property by the name and code of its country", async () => {
    await using service = await startApp({ database: await open() });
    await makeProperty(service, { code: "A", name: "Adler", country: "IT" });
    await makeProperty(service, { code: "B", name: "Bear", country: "CI" });
    await makeProperty(service, { code: "C", name: "Castle" });
    for (const [typed, name] of [
      ["italy", "Adler"],
      ["IT", "Adler"],
      ["cote d'ivoire", "Bear"],
    ] as const)
      assert.deepEqual(await found(service, typed), [name], typed);
    const { body } = await service.inject("/property?q=italy&format=csv");
    assert.equal(body.trimEnd().split("\r\n").length, 2);
  });

  test("finds records from a version without search text once their search text has been added", async () => {
    const database = await open();
    await using service = await startApp({ database });
    await makeProperty(service, { code: "P", name: "Weißenhaus" });
    await database.write.deleteFrom("search_text").execute();
    assert.deepEqual(await found(service, "weissen"), []);
    await completeRecords(database);
    assert.deepEqual(await found(service, "weissen"), ["Weißenhaus"]);
  });
});
