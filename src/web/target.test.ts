import assert from "node:assert/strict";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { test } from "node:test";
import { startApp } from "../../test/support/app.ts";
import { newest } from "../../test/support/error-log.ts";

test("strips the prefix of PUBLIC_URL only at a segment boundary", async () => {
  await using service = await startApp({ settings: { PUBLIC_URL: "http://rooms.example/prop" } });
  for (const url of ["/prop", "/prop?q=1", "/prop/", "/prop/property", "/property"])
    assert.equal((await service.inject(url)).statusCode, 200, url);
});

test("returns 404 for a path with a fragment and records it as sent", async () => {
  await using service = await startApp();
  const address = await service.listen();
  for (const path of ["/property/#x", "/tools/errors/#1", "/dev/logs/#", "/property#/../x", "/#", "/tools#?x=1"]) {
    const [answer] = (await once(get(address, { path }), "response")) as [IncomingMessage];
    answer.resume();
    assert.equal(answer.statusCode, 404, path);
    assert.equal((await newest(service.errors)).message, `Route 'GET ${path.split("?")[0]}' not found`);
  }
});
