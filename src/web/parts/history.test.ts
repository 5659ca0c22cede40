import assert from "node:assert/strict";
import { test } from "node:test";
import { START, startApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { editRecord, makeHotel } from "../../../test/support/hotel.ts";

type Recorded = { history: { at: string; actor: string; action: string; changes: object[] }[]; moreHistory: boolean };

eachEngine("the history of a record as JSON", (open) => {
  test("lists changes with their actors, newest first", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await editRecord(service, "/property/ALP/edit", { name: "Alpenhof" });
    await editRecord(service, "/category/ALP/DBL/edit", { rooms: "7" });
    for (const [url, change] of [
      ["/property/ALP", { field: "name", from: "Alpenblick", to: "Alpenhof" }],
      ["/category/ALP/DBL/edit", { field: "rooms", from: "10", to: "7" }],
    ] as const) {
      const { history, moreHistory } = (await service.inject(`${url}?format=json`)).json<Recorded>();
      assert.deepEqual(
        history.map(({ action, actor, at }) => [action, actor, at]),
        [
          ["update", "open", new Date(START).toISOString()],
          ["create", "open", new Date(START).toISOString()],
        ],
      );
      assert.deepEqual([history[0]!.changes, moreHistory], [[change], false]);
    }
  });

  test("the history of a record as JSON contains the newest 20 changes, or all changes on request", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    for (let count = 0; count < 21; count++) await editRecord(service, "/property/ALP/edit", { name: `Name ${count}` });
    const ask = async (query: string) => (await service.inject(`/property/ALP?format=json${query}`)).json<Recorded>();
    const [newest, all] = [await ask(""), await ask("&history=all")];
    assert.deepEqual([newest.history.length, newest.moreHistory], [20, true]);
    assert.deepEqual([all.history.length, all.moreHistory], [22, false]);
  });
});
