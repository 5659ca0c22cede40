import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp, type TestApp } from "../../../test/support/app.ts";

type Tested = { path: string; route?: string; nearMisses: { path: string; why: string }[]; otherMethods: string[] };

/** What the tool says of a path. */
async function testPath(service: TestApp, method: string, path: string): Promise<Tested> {
  const answer = await service.inject({ url: "/tools/routes", query: { format: "json", method, path } });
  return answer.json<{ test: Tested }>().test;
}

test("A path can be tested, and a near miss is explained", async () => {
  await using service = await startApp();
  const ask = (method: string, path: string) => testPath(service, method, path);
  assert.equal((await ask("GET", "/property/new")).route, "/property/new");
  assert.equal((await ask("PROPFIND", "/tools/env")).route, "/tools/env");
  assert.deepEqual((await ask("DELETE", "/property")).otherMethods, ["GET", "HEAD"]);
  const missed = await ask("GET", "/property/edit/A1");
  assert.equal(missed.route, undefined);
  assert.ok(missed.nearMisses.some((miss) => miss.path === "/property/{code}"));
  for (const path of ["/property/%00", "/property/%zz", `/property/${"%61".repeat(90)}`]) {
    assert.match((await service.inject(path)).body, /Route &#39;GET/);
    assert.equal((await ask("GET", path)).route, undefined, path);
  }
  const page = await service.inject("/tools/routes?method=GET&path=/propety");
  assert.match(page.body, /It has “property” where this path has “propety”\./);
  assert.match(page.body, /Route 'GET \/propety' not found/);
});

test("An address is tested as it is copied from a browser", async () => {
  await using service = await startApp({ settings: { PUBLIC_URL: "https://rooms.example/rack" } });
  const addresses = {
    "https://rooms.example/rack/rates?property=A#main": "/rates",
    "/rack/property/A1": "/property/{code}",
    "rack/property/A1": "/property/{code}",
    "/property/A1": "/property/{code}",
    "HTTP://127.0.0.1:3000/dev/logs/5": "/dev/logs/{id}",
    "https://rooms.example/rack": "/",
    "https://rooms.example": "/",
    property: "/property",
  };
  for (const [address, route] of Object.entries(addresses)) assert.equal((await testPath(service, "GET", address)).route, route, address);
  assert.equal((await testPath(service, "GET", "https://rooms.example/rack/login")).path, "/login");
});

test("The page of a tested path says which methods it takes, and the list is narrowed to a module by its name", async () => {
  await using service = await startApp();
  const { body } = await service.inject("/tools/routes?method=DELETE&path=/property");
  assert.match(body, /This path takes GET, HEAD only\./);
  const modulesOf = async (q: string) => {
    const { routes } = (await service.inject({ url: "/tools/routes", query: { format: "json", q } })).json<{
      routes: { module: string }[];
    }>();
    return [...new Set(routes.map(({ module }) => module))];
  };
  assert.deepEqual(await modulesOf("module:rates"), ["rates"]);
  assert.deepEqual(await modulesOf("module:rate"), []);
  assert.ok((await modulesOf("rates")).length > 0);
});
