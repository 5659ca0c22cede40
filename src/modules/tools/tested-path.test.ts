import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp, type TestApp } from "../../../test/support/app.ts";

type Tested = { path: string; route?: string; nearMisses: { path: string; why: string }[]; otherMethods: string[] };

async function testPath(service: TestApp, method: string, path: string): Promise<Tested> {
  const answer = await service.inject({ url: "/tools/routes", query: { format: "json", method, path } });
  return answer.json<{ test: Tested }>().test;
}

test("tests a path and explains near misses", async () => {
  await using service = await startApp();
  const ask = (method: string, path: string) => testPath(service, method, path);
  assert.equal((await ask("GET", "/property/new")).route, "/property/new");
  assert.equal((await ask("PROPFIND", "/tools/env")).route, "/tools/env");
  assert.deepEqual((await ask("DELETE", "/property")).otherMethods, ["GET", "HEAD"]);
  const missed = await ask("GET", "/property/edit/A1");
  assert.equal(missed.route, undefined);
  assert.ok(missed.nearMisses.some((miss) => miss.path === "/property/{code}"));
  for (const path of ["/property/%00", "/property/%zz", `/property/${"%61".repeat(201)}`]) {
    assert.match((await service.inject(path)).body, /Route &#39;GET/);
    assert.equal((await ask("GET", path)).route, undefined, path);
  }
  const page = await service.inject("/tools/routes?method=GET&path=/propety");
  assert.match(page.body, /The route has “property”, but this path has “propety”\./);
  assert.match(page.body, /Route 'GET \/propety' not found/);
});

test("tests a URL copied from a browser", async () => {
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

test("shows the methods of a tested path and filters routes by module", async () => {
  await using service = await startApp();
  const { body } = await service.inject("/tools/routes?method=DELETE&path=/property");
  assert.match(body, /This path accepts only GET, HEAD\./);
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
