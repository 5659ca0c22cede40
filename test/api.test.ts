import assert from "node:assert/strict";
import { test } from "node:test";
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { LightMyRequestResponse } from "fastify";
import { createToken } from "../src/access/tokens.ts";
import { SCOPES } from "../src/web/guard/user.ts";
import { startApp, type TestApp } from "./support/app.ts";
import { eachEngine } from "./support/databases.ts";
import { countMessage, makeHotel, postXml, rateMessage } from "./support/hotel.ts";
import { BY_TEST } from "./support/senders.ts";
import { ADMIN_PASSWORD, basic, postForm, TWO_ROLES } from "./support/sign-in.ts";

type Content = Record<string, { schema: object }>;
type Response = { content?: Content; $ref?: string };
type Operation = { operationId: string; parameters: { name: string; in: string }[]; responses: Record<string, Response> };
type Document = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: { Problem: object }; responses: Record<string, Response> };
};

/** A request for an operation. `status` is the expected status, 200 by default. */
type Call = { url: string; fields?: Record<string, string>; status?: number };
const DBL = { kind: "room", standardOccupancy: "2", rooms: "2" };
const CALLS: Readonly<Record<string, readonly Call[]>> = {
  readOverview: [{ url: "/" }],
  listProperties: [{ url: "/property" }, { url: "/property?after=" }, { url: "/property?status=odd", status: 422 }],
  createProperty: [
    { url: "/property/new", fields: { code: "NEW", name: "New" }, status: 303 },
    { url: "/property/new", fields: { code: "NEW", name: "" }, status: 422 },
  ],
  readProperty: [{ url: "/property/ALP" }, { url: "/property/NONE", status: 404 }],
  editProperty: [
    { url: "/property/ALP/edit", fields: { name: "Alpenblick", stars: "4", latitude: "46.5", longitude: "11.2" }, status: 303 },
  ],
  listCategories: [{ url: "/category" }, { url: "/category?hotelCode=ALP&after=" }],
  createCategory: [{ url: "/category/new", fields: { hotelCode: "ALP", code: "TWN", name: "Twin", ...DBL }, status: 303 }],
  readCategory: [{ url: "/category/ALP/DBL/edit" }, { url: "/category/ALP/NONE/edit", status: 404 }],
  editCategory: [{ url: "/category/ALP/DBL/edit", fields: { name: "Double", ...DBL, photos: "https://example.com/a.jpg" }, status: 303 }],
  listRatePlans: [
    { url: "/tools/plans?property=ALP" },
    { url: "/tools/plans?property=NONE", status: 404 },
    { url: "/tools/plans", status: 422 },
  ],
  readInventories: [
    { url: "/inventories" },
    { url: "/inventories?after=" },
    { url: "/inventories?property=ALP&night=2026-12-02&row=DBL" },
    { url: "/inventories?property=ALP&view=year" },
    { url: "/inventories?property=ALP&days=3", status: 422 },
  ],
  readRates: [{ url: "/rates" }, { url: "/rates?property=ALP&from=2026-12-01" }],
  readChanges: [{ url: "/changes?include=values" }, { url: "/changes?after=odd", status: 422 }],
  listMessages: [{ url: "/dev/logs" }, { url: "/dev/logs?outcome=refused" }, { url: "/dev/logs?view=causes" }],
  readMessage: [{ url: "/dev/logs/1" }, { url: "/dev/logs/3" }, { url: "/dev/logs/999", status: 404 }],
  search: [{ url: "/tools/search?q=alp" }],
  tryMessage: [{ url: "/dev/channel", fields: { action: "send", xml: countMessage({ control: nights(), counts: [[2, 1]] }) } }],
};

function nights(): string {
  return 'Start="2026-12-01" End="2026-12-03" InvTypeCode="DBL"';
}

eachEngine("the OpenAPI document", (open, makePlace) => {
  const start = async () => {
    const place = await makePlace();
    await using sender = await startApp({ database: await open(place) });
    await makeHotel(sender);
    await postXml(sender, countMessage({ control: nights(), counts: [[2, 5]] }));
    await postXml(sender, rateMessage({ control: `${nights()} RatePlanCode="BAR"`, amounts: ['NumberOfGuests="2" AmountAfterTax="90"'] }));
    await postXml(sender, countMessage({ control: nights().replace("DBL", "XXX"), counts: [[2, 5]] }));
    const service = await startApp({ database: await open(place), settings: TWO_ROLES });
    const token = await createToken(
      service.database,
      { name: "all", scopes: SCOPES, properties: undefined, expiresAt: undefined },
      BY_TEST,
    );
    const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
    const document = (await service.inject({ url: "/dev/docs/openapi.json", headers })).json<Document>();
    return { service, headers, document, [Symbol.asyncDispose]: service.close };
  };

  test("the OpenAPI document describes the response of every operation", async () => {
    await using started = await start();
    const { service, headers, document } = started;
    assert.equal(document.openapi, "3.1.0");
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    assert.deepEqual(operations.map(({ operationId }) => operationId).toSorted(), Object.keys(CALLS).toSorted());
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );
    for (const { path, method, operation } of described) {
      for (const call of CALLS[operation.operationId]!) {
        const answer = await send(service, call, headers);
        const { status = 200 } = call;
        assert.equal(answer.statusCode, status, `${call.url}: ${answer.body}`);
        assert.equal(method, call.fields ? "post" : "get");
        assert.match(call.url.split("?", 1)[0]!, new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`));
        const schema = findSchema(document, operation, answer);
        const isValid = schema === undefined || ajv.validate(schema, answer.json());
        assert.ok(isValid, `${call.url}: ${ajv.errorsText()}\n${answer.body.slice(0, 2_000)}`);
      }
    }
  });

  test("the OpenAPI document lists every path parameter and every URL that accepts tokens", async () => {
    await using started = await start();
    const { service, headers, document } = started;
    for (const [path, methods] of Object.entries(document.paths)) {
      const expected = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { parameters } of Object.values(methods))
        assert.deepEqual(
          parameters.filter((one) => one.in === "path").map(({ name }) => name),
          expected,
        );
    }
    const { routes } = (await service.inject({ url: "/tools/routes?format=json", headers: basic(ADMIN_PASSWORD) })).json<{
      routes: { path: string; access: string }[];
    }>();
    const guarded = routes.filter(({ access }) => access !== "open" && access !== "sender").map(({ path }) => path);
    for (const path of new Set(guarded.filter((one) => !one.startsWith("/dev/docs")))) {
      const url = path.replaceAll(/\{\w+\}/g, "1");
      const answers = [await service.inject({ url, headers }), await send(service, { url, fields: { action: "send" } }, headers)];
      const accepts = answers.some(({ statusCode, body }) => statusCode !== 403 && !body.includes("Route 'POST"));
      const isForm = ["/property/new", "/category/new", "/property/{code}/edit"].includes(path);
      assert.equal(Object.hasOwn(document.paths, path) || isForm, accepts, path);
    }
  });

  test("the OpenAPI document is readable as a page", async () => {
    await using started = await start();
    const { service, headers } = started;
    const { body } = await service.inject({ url: "/dev/docs/api", headers: { ...headers, accept: "text/html" } });
    for (const summary of ["Follow changes", "Edit a property"]) assert.ok(body.includes(`<h2>${summary}</h2>`), summary);
    assert.match(body, /<code>GET \/changes<\/code>/);
  });
});

function send(service: TestApp, { url, fields }: Call, headers: Record<string, string>) {
  return fields ? postForm(service, url, { fields, headers }) : service.inject({ url, headers });
}

/** Returns undefined if the document describes no body for the response. */
function findSchema({ components }: Document, { responses }: Operation, answer: LightMyRequestResponse): object | undefined {
  const described = responses[answer.statusCode]!;
  const { content } = described.$ref === undefined ? described : components.responses[described.$ref.split("/").at(-1)!]!;
  if (content === undefined) return undefined;
  const [type = ""] = String(answer.headers["content-type"]).split(";", 1);
  const { schema } = content[type]!;
  return "$ref" in schema ? components.schemas.Problem : schema;
}
