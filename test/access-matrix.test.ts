import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { createToken, type NewToken } from "../src/access/tokens.ts";
import { type Role, ROLES, SCOPES } from "../src/web/guard/user.ts";
import { METHODS } from "../src/web/node-http.ts";
import type { KnownRoute } from "../src/web/route-registry.ts";
import { createWebhook } from "../src/webhooks/store.ts";
import { startApp, type TestApp, type Visitor } from "./support/app.ts";
import { countMessage, makeCategory, makeHotel, makeProperty, postXml } from "./support/hotel.ts";
import { addSender, BY_TEST } from "./support/senders.ts";
import { ADMIN_PASSWORD, addPerson, basic, postForm, signInByForm, TWO_ROLES, VIEWER_PASSWORD } from "./support/sign-in.ts";

/**
 * Who may do what. `read` is a GET. `act` is a POST with an `action`, or any POST to a route that handles GET separately. The sender and
 * the tokens are programs; the other columns use a browser. `ALP` and `BET` use the same token, which has all scopes but is limited to
 * property ALP. Their requests are for property ALP and BET, respectively. `ok` is a page or a redirect, `form` a 401 with the sign-in form,
 * and `401` a challenge for programs. `422` is a refused form, which only users who are allowed to submit it receive.
 */
const MATRIX = `
route                               kind  anonymous  viewer  editor  admin  read  changes  records:write  channel:dry-run  ALP  BET  sender
/                                   act   form       403     ok      ok     403   403      403            403              403  403  401
/                                   read  form       ok      ok      ok     ok    403      403            403              403  403  401
/_errors/csp                        act   415        415     415     415    415   415      415            415              415  415  415
/_errors/log                        act   415        415     415     415    415   415      415            415              415  415  415
/assets/{file}                      read  404        404     404     404    404   404      404            404              404  404  404
/category                           read  form       ok      ok      ok     ok    403      403            403              ok   403  401
/category/new                       act   form       403     422     422    403   403      422            403              422  403  401
/category/new                       read  form       403     ok      ok     ok    403      403            403              ok   403  401
/category/{hotelCode}/{code}/edit   act   form       403     ok      ok     403   403      ok             403              ok   403  401
/category/{hotelCode}/{code}/edit   read  form       ok      ok      ok     ok    403      403            403              ok   403  401
/changes                            read  form       ok      ok      ok     403   ok       403            403              ok   403  401
/channel                            act   401        401     401     401    401   401      401            401              401  401  400
/channel                            read  ok         ok      ok      ok     ok    ok       ok             ok               ok   ok   ok
/channel/schema.json                read  ok         ok      ok      ok     ok    ok       ok             ok               ok   ok   ok
/dev                                act   form       403     ok      ok     403   403      403            403              403  403  401
/dev                                read  form       ok      ok      ok     403   403      403            403              403  403  401
/dev/channel                        act   form       403     ok      ok     403   403      403            ok               ok   ok   401
/dev/channel                        read  form       403     ok      ok     403   403      403            403              403  403  401
/dev/docs                           act   form       403     ok      ok     403   403      403            403              403  403  401
/dev/docs                           read  form       ok      ok      ok     ok    403      403            403              ok   ok   401
/dev/docs/api                       act   form       403     ok      ok     403   403      403            403              403  403  401
/dev/docs/api                       read  form       ok      ok      ok     ok    403      403            403              ok   ok   401
/dev/docs/openapi.json              act   form       403     ok      ok     403   403      403            403              403  403  401
/dev/docs/openapi.json              read  form       ok      ok      ok     ok    403      403            403              ok   ok   401
/dev/docs/{document}                act   form       403     ok      ok     403   403      403            403              403  403  401
/dev/docs/{document}                read  form       ok      ok      ok     ok    403      403            403              ok   ok   401
/dev/docs/{document}/{section}      act   form       403     ok      ok     403   403      403            403              403  403  401
/dev/docs/{document}/{section}      read  form       ok      ok      ok     ok    403      403            403              ok   ok   401
/dev/logs                           act   form       403     403     ok     403   403      403            403              403  403  401
/dev/logs                           read  form       ok      ok      ok     ok    403      403            403              ok   403  401
/dev/logs/{id}                      act   form       403     ok      ok     403   403      403            403              403  403  401
/dev/logs/{id}                      read  form       ok      ok      ok     ok    403      403            403              ok   403  401
/dev/senders                        act   form       403     403     ok     403   403      403            403              403  403  401
/dev/senders                        read  form       ok      ok      ok     403   403      403            403              403  403  401
/dev/senders/{name}                 act   form       403     403     ok     403   403      403            403              403  403  401
/dev/senders/{name}                 read  form       ok      ok      ok     403   403      403            403              403  403  401
/dev/senders/{name}/tail            read  form       404     404     404    403   403      403            403              403  403  401
/dev/tail                           read  form       422     422     422    403   403      403            403              403  403  401
/dev/webhooks                       act   form       403     403     ok     403   403      403            403              403  403  401
/dev/webhooks                       read  form       403     403     ok     403   403      403            403              403  403  401
/dev/webhooks/{id}                  act   form       403     403     ok     403   403      403            403              403  403  401
/dev/webhooks/{id}                  read  form       403     403     ok     403   403      403            403              403  403  401
/inventories                        read  form       ok      ok      ok     ok    403      403            403              ok   403  401
/property                           read  form       ok      ok      ok     ok    403      403            403              403  403  401
/property/new                       act   form       403     422     422    403   403      422            403              403  403  401
/property/new                       read  form       403     ok      ok     ok    403      403            403              403  403  401
/property/{code}                    read  form       ok      ok      ok     ok    403      403            403              ok   403  401
/property/{code}/edit               act   form       403     ok      ok     403   403      ok             403              ok   403  401
/property/{code}/edit               read  form       403     ok      ok     ok    403      403            403              ok   403  401
/rates                              read  form       ok      ok      ok     ok    403      403            403              ok   403  401
/tools                              act   form       403     403     ok     403   403      403            403              403  403  401
/tools                              read  form       ok      ok      ok     403   403      403            403              403  403  401
/tools/account                      act   form       ok      ok      ok     403   403      403            403              403  403  401
/tools/account                      read  form       ok      ok      ok     403   403      403            403              403  403  401
/tools/alerts                       act   form       403     403     ok     403   403      403            403              403  403  401
/tools/alerts                       read  form       ok      ok      ok     403   403      403            403              403  403  401
/tools/aliases                      act   form       403     403     ok     403   403      403            403              403  403  401
/tools/aliases                      read  form       ok      ok      ok     403   403      403            403              403  403  401
/tools/audit                        act   form       403     403     ok     403   403      403            403              403  403  401
/tools/audit                        read  form       403     403     ok     403   403      403            403              403  403  401
/tools/caches                       act   form       403     403     ok     403   403      403            403              403  403  401
/tools/caches                       read  form       ok      ok      ok     403   403      403            403              403  403  401
/tools/dbsync                       act   form       403     403     ok     403   403      403            403              403  403  401
/tools/dbsync                       read  form       ok      ok      ok     403   403      403            403              403  403  401
/tools/env                          act   form       403     403     ok     403   403      403            403              403  403  401
/tools/env                          read  form       403     403     ok     403   403      403            403              403  403  401
/tools/errors                       act   form       403     403     ok     403   403      403            403              403  403  401
/tools/errors                       read  form       ok      ok      ok     403   403      403            403              403  403  401
/tools/errors/{id}                  act   form       403     403     ok     403   403      403            403              403  403  401
/tools/errors/{id}                  read  form       ok      ok      ok     403   403      403            403              403  403  401
/tools/import                       act   form       403     ok      ok     403   403      403            403              403  403  401
/tools/import                       read  form       403     ok      ok     403   403      403            403              403  403  401
/tools/import/edit                  act   form       403     ok      ok     403   403      403            403              403  403  401
/tools/import/edit                  read  form       403     ok      ok     403   403      403            403              403  403  401
/tools/import/{id}                  act   form       403     422     422    403   403      403            403              403  403  401
/tools/import/{id}                  read  form       403     ok      ok     403   403      403            403              403  403  401
/tools/invitation                   act   ok         ok      ok      ok     403   403      403            403              403  403  403
/tools/invitation                   read  ok         ok      ok      ok     ok    ok       ok             ok               ok   ok   ok
/tools/modules                      act   form       403     403     ok     403   403      403            403              403  403  401
/tools/modules                      read  form       ok      ok      ok     403   403      403            403              403  403  401
/tools/phpinfo                      act   form       403     403     ok     403   403      403            403              403  403  401
/tools/phpinfo                      read  form       ok      ok      ok     403   403      403            403              403  403  401
/tools/plans                        act   form       403     ok      ok     403   403      403            403              403  403  401
/tools/plans                        read  form       ok      ok      ok     ok    403      403            403              ok   403  401
/tools/property                     act   form       403     ok      ok     403   403      403            403              403  403  401
/tools/property                     read  form       403     ok      ok     403   403      403            403              403  403  401
/tools/readiness                    act   form       403     403     ok     403   403      403            403              403  403  401
/tools/readiness                    read  form       403     403     ok     403   403      403            403              403  403  401
/tools/request                      act   form       403     403     ok     403   403      403            403              403  403  401
/tools/request                      read  form       ok      ok      ok     403   403      403            403              403  403  401
/tools/routes                       act   form       403     403     ok     403   403      403            403              403  403  401
/tools/routes                       read  form       ok      ok      ok     403   403      403            403              403  403  401
/tools/search                       act   form       403     ok      ok     403   403      403            403              403  403  401
/tools/search                       read  form       ok      ok      ok     ok    403      403            403              ok   ok   401
/tools/tokens                       act   form       403     403     ok     403   403      403            403              403  403  401
/tools/tokens                       read  form       403     403     ok     403   403      403            403              403  403  401
/tools/users                        act   form       403     403     ok     403   403      403            403              403  403  401
/tools/users                        read  form       403     403     ok     403   403      403            403              403  403  401
/tools/users/{name}                 act   form       403     403     ok     403   403      403            403              403  403  401
/tools/users/{name}                 read  form       403     403     ok     403   403      403            403              403  403  401
/tools/views                        act   form       ok      ok      ok     403   403      403            403              403  403  401
/tools/views                        read  form       ok      ok      ok     403   403      403            403              403  403  401
`;

const COLUMNS = ["anonymous", ...ROLES, ...SCOPES, "ALP", "BET", "sender"] as const;
type Column = (typeof COLUMNS)[number];
type Cells = Readonly<Record<Column, string>>;
type Row = { kind: string; route: string; cells: Cells };

function readMatrix(): Row[] {
  return MATRIX.trim()
    .split("\n")
    .slice(1)
    .map((line) => {
      const [route = "", kind = "", ...cells] = line.trim().split(/\s+/);
      assert.equal(cells.length, COLUMNS.length, line);
      return { kind, route, cells: Object.fromEntries(COLUMNS.map((column, index) => [column, cells[index]])) as Cells };
    });
}

function toLine({ route, kind, cells }: Row): string {
  return [route.padEnd(34), kind.padEnd(4), ...COLUMNS.map((column) => cells[column].padEnd(column.length))].join("  ").trimEnd();
}

/** Returns the URL of a route with parameters. Message 1 is for property ALP, message 2 for BET. */
const PARAMETERS: Readonly<Record<string, (property: string) => string>> = {
  "/category/{hotelCode}/{code}/edit": (property) => `/category/${property}/DBL/edit`,
  // A valid query would return an endless stream.
  "/dev/tail": () => "/dev/tail?from=never",
  "/property/{code}": (property) => `/property/${property}`,
  "/property/{code}/edit": (property) => `/property/${property}/edit`,
  "/dev/logs/{id}": (property) => `/dev/logs/${property === "ALP" ? 1 : 2}`,
  "/dev/docs/{document}": () => "/dev/docs/channel",
  "/dev/docs/{document}/{section}": () => "/dev/docs/channel/errors",
  "/dev/senders/{name}": () => "/dev/senders/pms",
  "/dev/webhooks/{id}": () => "/dev/webhooks/1",
  "/dev/senders/{name}/tail": () => "/dev/senders/none/tail",
  "/tools/errors/{id}": () => "/tools/errors/1",
  "/tools/import/{id}": () => "/tools/import/1",
  "/tools/users/{name}": () => "/tools/users/target",
  "/assets/{file}": () => "/assets/none.css",
};

function fill(route: string, property: string): string {
  return PARAMETERS[route]?.(property) ?? route;
}

/** Only the console has an action that tokens may use. It is a dry run by default. */
function actionFor(route: string): string {
  return route === "/dev/channel" ? "send" : "none";
}

type Headers = Readonly<Record<string, string>>;

type Asker = {
  get(url: string): Promise<LightMyRequestResponse>;
  post(url: string, fields: Readonly<Record<string, string>>): Promise<LightMyRequestResponse>;
};

const BROWSER = { accept: "text/html" };
const FORM = { "content-type": "application/x-www-form-urlencoded" };

describe("the access matrix", () => {
  let open: TestApp;
  let service: TestApp;
  let routes: KnownRoute[];
  let addresses = 0;
  let askers: Readonly<Record<Column, Asker>>;
  let people: Readonly<Record<Role, Visitor>>;

  before(async () => {
    open = await startApp();
    await makeHotel(open);
    await makeProperty(open, { code: "BET", name: "Bettenburg" });
    await makeCategory(open, { hotelCode: "BET", code: "DBL", name: "Double", rooms: "2", standardOccupancy: "2" });
    for (const code of ["ALP", "BET"]) await postXml(open, countMessage().replace("ALP", code));
    await open.inject("/no/such/page");
    await open.visitor().post("/tools/import", { action: "upload", text: "code,name\nNEW,New hotel\n" });
    service = await startApp({ database: open.database, settings: TWO_ROLES });
    ({ routes } = (await open.inject("/tools/routes?format=json")).json<{ routes: KnownRoute[] }>());
    await addPerson(service, "target", "viewer");
    const limited = program(await tokenHeaders({ name: "limited", scopes: SCOPES, properties: ["ALP"] }));
    const secret = await addSender(service.database, { name: "pms" });
    await createWebhook(service.database, { name: "engine", url: "https://hooks.example.com/", alerts: false }, BY_TEST);
    people = { viewer: await signIn("viewer"), editor: await signIn("editor"), admin: await signIn("admin") };
    const all: [Column, Asker][] = [
      ["anonymous", browser(service.visitor())],
      ["ALP", limited],
      ["BET", limited],
      ["sender", program({ "x-api-key": secret })],
    ];
    for (const role of ROLES) all.push([role, browser(people[role])]);
    for (const scope of SCOPES) all.push([scope, program(await tokenHeaders({ name: scope, scopes: [scope], properties: undefined }))]);
    askers = Object.fromEntries(all) as Record<Column, Asker>;
  });
  after(async () => {
    await service.close();
    await open.close();
  });

  /** Sends each request from a different address, because wrong credentials lock an address out. */
  function program(headers: Headers): Asker {
    const ask = (request: InjectOptions) => service.inject({ remoteAddress: `10.0.0.${addresses++ % 250}`, ...request });
    return {
      get: (url) => ask({ url, headers }),
      post: (url, fields) =>
        ask({ method: "POST", url, headers: { ...FORM, ...headers }, payload: new URLSearchParams(fields).toString() }),
    };
  }

  /** Takes the form token from a page that has one for every user. */
  function browser(visitor: Visitor): Asker {
    return {
      get: (url) => visitor.get(url, BROWSER),
      async post(url, fields) {
        await visitor.get(url.startsWith("/tools/invitation") ? url : "/tools/account");
        return visitor.post(url, fields, BROWSER);
      },
    };
  }

  async function tokenHeaders(token: Omit<NewToken, "expiresAt">): Promise<Headers> {
    const secret = await createToken(service.database, { ...token, expiresAt: undefined }, BY_TEST);
    return { authorization: `Bearer ${secret}` };
  }

  async function signIn(role: Role): Promise<Visitor> {
    const name = `the-${role}`;
    await addPerson(service, name, role);
    return (await signInByForm(service, { name })).visitor;
  }

  test("the access matrix has a row for each route", () => {
    const expected = routes.flatMap((route) => kindsOf(route).map((kind) => `${route.path} ${kind}`));
    assert.deepEqual(
      readMatrix().map(({ route, kind }) => `${route} ${kind}`),
      expected.toSorted(),
    );
  });

  test("the access matrix states who may use each route", async () => {
    const found: string[] = [];
    for (const { route, kind } of readMatrix()) found.push(toLine({ route, kind, cells: await cellsOf(route, kind) }));
    assert.equal(found.join("\n"), readMatrix().map(toLine).join("\n"));
  });

  async function cellsOf(route: string, kind: string): Promise<Cells> {
    const cells: [Column, string][] = [];
    for (const column of COLUMNS) {
      const property = column === "BET" ? "BET" : "ALP";
      const [url, named] = [fill(route, property), { [route.startsWith("/category") ? "hotelCode" : "property"]: property }];
      const one = askers[column];
      const answer =
        kind === "read"
          ? await one.get(`${url}?${new URLSearchParams(named).toString()}`)
          : await one.post(url, { action: actionFor(route), ...named });
      if (column === "ALP") assert.doesNotMatch(answer.body, /Bettenburg/, `${kind} ${route}`);
      cells.push([column, cellOf(answer)]);
    }
    return Object.fromEntries(cells) as Cells;
  }

  test("treats every other HTTP method like GET, except that API tokens may not use it", async () => {
    const token = await tokenHeaders({ name: "all scopes", scopes: SCOPES, properties: undefined });
    const others = METHODS.filter((method) => !["GET", "HEAD", "CONNECT"].includes(method)) as InjectOptions["method"][];
    const found: string[] = [];
    for (const { route, cells } of readMatrix().filter(({ kind, route: path }) => kind === "read" && isForAnyMethod(path)))
      for (const method of others) {
        const url = fill(route, "ALP");
        const statusOf = async (headers: Headers) => cellOf(await service.inject({ method, url, headers }));
        const expected = [programCell(cells.anonymous), cells.viewer, cells.anonymous === "ok" ? "ok" : "403"];
        const actual = [await statusOf({}), await statusOf(basic(VIEWER_PASSWORD)), await statusOf(token)];
        if (expected.join() !== actual.join()) found.push(`${method} ${route}: ${actual.join(", ")} instead of ${expected.join(", ")}`);
      }
    assert.deepEqual(found, []);
  });

  test("treats HEAD like GET, and returns 404 for methods without a route", async () => {
    const token = await tokenHeaders({ name: "read only", scopes: ["read"], properties: undefined });
    for (const { route, cells } of readMatrix().filter(({ kind }) => kind === "read")) {
      const url = fill(route, "ALP");
      const statusOf = async (headers: Headers) => cellOf(await service.inject({ method: "HEAD", url, headers }));
      const expected = [programCell(cells.anonymous), cells.viewer, cells.read];
      assert.deepEqual([await statusOf({}), await statusOf(basic(VIEWER_PASSWORD)), await statusOf(token)], expected, route);
    }
    const methods = METHODS.filter((method) => method !== "CONNECT");
    for (const path of new Set(routes.map((route) => route.path))) {
      const known = new Set(routes.filter((route) => route.path === path).flatMap((route) => route.methods));
      for (const method of known.has("any") ? [] : methods.filter((one) => !known.has(one)))
        for (const headers of [{}, basic(ADMIN_PASSWORD)]) {
          const request = { method: method as InjectOptions["method"], url: fill(path, "ALP"), headers };
          assert.equal((await service.inject(request)).statusCode, 404, `${method} ${path}`);
        }
    }
  });

  test("refuses every change without a form token for the same session", async () => {
    const rows = readMatrix().filter(({ kind, route, cells }) => kind === "act" && cells.admin !== "401" && !route.startsWith("/_errors"));
    assert.ok(rows.length > 30);
    const token = tokenIn(await people.editor.get("/property/new"));
    for (const { route } of rows) {
      const url = fill(route, "ALP");
      const fields = { action: actionFor(route) };
      const answers = [
        await people.admin.send(url, new URLSearchParams(fields).toString(), FORM),
        await people.admin.send(url, new URLSearchParams({ ...fields, _csrf: token }).toString(), FORM),
        await postForm(service, url, { fields, headers: basic(ADMIN_PASSWORD) }),
      ];
      for (const { statusCode, body } of answers) assert.deepEqual([statusCode, body.includes("Invalid CSRF token")], [403, true], route);
    }
  });

  function isForAnyMethod(path: string): boolean {
    return routes.some((route) => route.path === path && route.methods.includes("any") && route.access !== "sender");
  }
});

/** A route for any method treats every method like GET, except a POST with an `action`. */
function kindsOf({ methods }: KnownRoute): string[] {
  if (methods.includes("any")) return ["read", "act"];
  return [methods.includes("GET") ? "read" : undefined, methods.includes("POST") ? "act" : undefined].filter((kind) => kind !== undefined);
}

function cellOf({ statusCode, headers }: LightMyRequestResponse): string {
  assert.ok(statusCode < 500 && statusCode !== 429, `status ${statusCode}`);
  if (statusCode === 401) return headers["www-authenticate"] === undefined ? "form" : "401";
  return statusCode < 400 ? "ok" : String(statusCode);
}

/** Programs get a challenge instead of the form. */
function programCell(cell: string): string {
  return cell === "form" ? "401" : cell;
}

function tokenIn({ body }: LightMyRequestResponse): string {
  const main = body.slice(body.indexOf("<main"));
  return /name="_csrf" value="([^"]+)"/.exec(main)![1]!;
}
