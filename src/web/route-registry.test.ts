import assert from "node:assert/strict";
import { test } from "node:test";
import fastify from "fastify";
import { fixedClock } from "../clock.ts";
import { addAllMethods, addAnyRoute } from "./any-route.ts";
import { addRouteRegistry, type RouteRegistry } from "./route-registry.ts";

const START = Date.UTC(2027, 0, 2);

async function startRouter() {
  const app = fastify({ routerOptions: { maxParamLength: 50 } });
  addAllMethods(app);
  const routes = addRouteRegistry(app, fixedClock(START));
  app.get("/property/:code", { config: { about: "view one property", module: "property" } }, () => "one");
  app.get("/property/new", () => "new");
  app.post("/property/new", () => "made");
  app.get("/category/:hotelCode/:code/edit", () => "edit");
  addAnyRoute(app, { url: "/tools", about: "tools" }, () => "tools");
  await app.ready();
  return { app, routes };
}

function routeAt(routes: RouteRegistry, path: string) {
  return routes.list().find((route) => route.path === path);
}

test("lists a route with its configuration", async () => {
  const { routes } = await startRouter();
  const { methods, about, module, access, token } = routeAt(routes, "/property/{code}")!;
  assert.deepEqual(
    { methods, about, module, access, token },
    { methods: ["GET", "HEAD"], about: "view one property", module: "property", access: "viewer", token: undefined },
  );
  assert.deepEqual(routeAt(routes, "/tools")?.methods, ["any"]);
  assert.equal(routeAt(routes, "/tools")?.token, "acting");
});

test("counts requests by route", async () => {
  const { app, routes } = await startRouter();
  await app.inject({ method: "GET", url: "/property/LUX01" });
  await app.inject({ method: "HEAD", url: "/property/LUX02" });
  const { hits, lastHitAt, p95 } = routeAt(routes, "/property/{code}")!;
  assert.equal(hits, 2);
  assert.equal(lastHitAt, START);
  assert.ok(p95! >= 0);
  assert.equal(routeAt(routes, "/category/{hotelCode}/{code}/edit")?.p95, undefined);
});

test("matches paths as the router does", async () => {
  const { routes } = await startRouter();
  assert.deepEqual(routes.match("GET", "/property/a%2Fb")?.params, { code: "a/b" });
  assert.equal(routes.match("GET", "/property/new")?.route.path, "/property/new");
  assert.deepEqual(routes.match("GET", "/category/LUX01/DBL/edit")?.params, { hotelCode: "LUX01", code: "DBL" });
  assert.equal(routes.match("PROPFIND", "/tools")?.route.path, "/tools");
  for (const path of ["/property/", "/property/%zz", `/property/${"x".repeat(51)}`, "/category/x/edit", "/nowhere"]) {
    assert.equal(routes.match("GET", path), undefined, path);
  }
  assert.equal(routes.match("DELETE", "/property/new"), undefined);
});
