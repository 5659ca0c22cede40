import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { createToken, type NewToken } from "../src/access/tokens.ts";
import { type Role, ROLES, SCOPES } from "../src/web/guard/user.ts";
import { METHODS } from "../src/web/node-http.ts";
import type { KnownRoute } from "../src/web/route-registry.ts";
import { startApp, type TestApp } from "./support/app.ts";
import { countMessage, makeHotel, makeProperty, postXml } from "./support/hotel.ts";
import { addSender, BY_TEST } from "./support/senders.ts";
import { ADMIN_PASSWORD, addPerson, basic, postForm, signInByForm, TWO_ROLES, VIEWER_PASSWORD } from "./support/sign-in.ts";

/**
 * Who may do what. `read` is a GET. `act` is a POST with an `action`, or any POST to a route with another handler for GET. ALP and BET are
 * the same token, which has all scopes but is limited to property ALP, asking about either property. `yes` is an answer of the route itself,
 * even if it is an error; a number is the status of a refusal.
 */
const MATRIX = `
route                               kind  anonymous  viewer  editor  admin  read  changes  records:write  channel:dry-run  ALP  BET  sender
/                                   act   401        403     yes     yes    403   403      403            403              403  403  401
/                                   read  401        yes     yes     yes    yes   403      403            403              403  403  401
/_errors/csp                        act   yes        yes     yes     yes    yes   yes      yes            yes              yes  yes  yes
/_errors/log                        act   yes        yes     yes     yes    yes   yes      yes            yes              yes  yes  yes
/assets/{file}                      read  yes        yes     yes     yes    yes   yes      yes            yes              yes  yes  yes
/category                           read  401        yes     yes     yes    yes   403      403            403              yes  403  401
/category/new                       act   401        403     yes     yes    403   403      yes            403              yes  403  401
/category/new                       read  401        403     yes     yes    yes   403      403            403              yes  403  401
/category/{hotelCode}/{code}/edit   act   401        403     yes     yes    403   403      yes            403              yes  403  401
/category/{hotelCode}/{code}/edit   read  401        yes     yes     yes    yes   403      403            403              yes  403  401
/changes                            read  401        yes     yes     yes    403   yes      403            403              yes  403  401
/channel                            act   401        401     401     401    401   401      401            401              401  401  yes
/channel                            read  yes        yes     yes     yes    yes   yes      yes            yes              yes  yes  yes
/channel/schema.json                read  yes        yes     yes     yes    yes   yes      yes            yes              yes  yes  yes
/dev                                act   401        403     yes     yes    403   403      403            403              403  403  401
/dev                                read  401        yes     yes     yes    403   403      403            403              403  403  401
/dev/channel                        act   401        403     yes     yes    403   403      403            yes              yes  yes  401
/dev/channel                        read  401        403     yes     yes    403   403      403            403              403  403  401
/dev/docs                           act   401        403     yes     yes    403   403      403            403              403  403  401
/dev/docs                           read  401        yes     yes     yes    yes   403      403            403              yes  yes  401
/dev/docs/{document}                act   401        403     yes     yes    403   403      403            403              403  403  401
/dev/docs/{document}                read  401        yes     yes     yes    yes   403      403            403              yes  yes  401
/dev/docs/{document}/{section}      act   401        403     yes     yes    403   403      403            403              403  403  401
/dev/docs/{document}/{section}      read  401        yes     yes     yes    yes   403      403            403              yes  yes  401
/dev/logs                           act   401        403     403     yes    403   403      403            403              403  403  401
/dev/logs                           read  401        yes     yes     yes    yes   403      403            403              yes  403  401
/dev/logs/{id}                      act   401        403     yes     yes    403   403      403            403              403  403  401
/dev/logs/{id}                      read  401        yes     yes     yes    yes   403      403            403              yes  403  401
/dev/senders                        act   401        403     403     yes    403   403      403            403              403  403  401
/dev/senders                        read  401        yes     yes     yes    403   403      403            403              403  403  401
/dev/senders/{name}                 act   401        403     403     yes    403   403      403            403              403  403  401
/dev/senders/{name}                 read  401        yes     yes     yes    403   403      403            403              403  403  401
/dev/senders/{name}/tail            read  401        yes     yes     yes    403   403      403            403              403  403  401
/inventories                        read  401        yes     yes     yes    yes   403      403            403              yes  403  401
/property                           read  401        yes     yes     yes    yes   403      403            403              403  403  401
/property/new                       act   401        403     yes     yes    403   403      yes            403              403  403  401
/property/new                       read  401        403     yes     yes    yes   403      403            403              403  403  401
/property/{code}                    read  401        yes     yes     yes    yes   403      403            403              yes  403  401
/property/{code}/edit               act   401        403     yes     yes    403   403      yes            403              yes  403  401
/property/{code}/edit               read  401        403     yes     yes    yes   403      403            403              yes  403  401
/rates                              read  401        yes     yes     yes    yes   403      403            403              yes  403  401
/tools                              act   401        403     403     yes    403   403      403            403              403  403  401
/tools                              read  401        yes     yes     yes    403   403      403            403              403  403  401
/tools/account                      act   401        yes     yes     yes    403   403      403            403              403  403  401
/tools/account                      read  401        yes     yes     yes    403   403      403            403              403  403  401
/tools/aliases                      act   401        403     403     yes    403   403      403            403              403  403  401
/tools/aliases                      read  401        yes     yes     yes    403   403      403            403              403  403  401
/tools/audit                        act   401        403     403     yes    403   403      403            403              403  403  401
/tools/audit                        read  401        403     403     yes    403   403      403            403              403  403  401
/tools/caches                       act   401        403     403     yes    403   403      403            403              403  403  401
/tools/caches                       read  401        yes     yes     yes    403   403      403            403              403  403  401
/tools/dbsync                       act   401        403     403     yes    403   403      403            403              403  403  401
/tools/dbsync                       read  401        yes     yes     yes    403   403      403            403              403  403  401
/tools/env                          act   401        403     403     yes    403   403      403            403              403  403  401
/tools/env                          read  401        403     403     yes    403   403      403            403              403  403  401
/tools/errors                       act   401        403     403     yes    403   403      403            403              403  403  401
/tools/errors                       read  401        yes     yes     yes    403   403      403            403              403  403  401
/tools/errors/{id}                  act   401        403     403     yes    403   403      403            403              403  403  401
/tools/errors/{id}                  read  401        yes     yes     yes    403   403      403            403              403  403  401
/tools/invitation                   act   yes        yes     yes     yes    403   403      403            403              403  403  403
/tools/invitation                   read  yes        yes     yes     yes    yes   yes      yes            yes              yes  yes  yes
/tools/modules                      act   401        403     403     yes    403   403      403            403              403  403  401
/tools/modules                      read  401        yes     yes     yes    403   403      403            403              403  403  401
/tools/phpinfo                      act   401        403     403     yes    403   403      403            403              403  403  401
/tools/phpinfo                      read  401        yes     yes     yes    403   403      403            403              403  403  401
/tools/readiness                    act   401        403     403     yes    403   403      403            403              403  403  401
/tools/readiness                    read  401        403     403     yes    403   403      403            403              403  403  401
/tools/request                      act   401        403     403     yes    403   403      403            403              403  403  401
/tools/request                      read  401        yes     yes     yes    403   403      403            403              403  403  401
/tools/routes                       act   401        403     403     yes    403   403      403            403              403  403  401
/tools/routes                       read  401        yes     yes     yes    403   403      403            403              403  403  401
/tools/search                       act   401        403     yes     yes    403   403      403            403              403  403  401
/tools/search                       read  401        yes     yes     yes    yes   403      403            403              yes  yes  401
/tools/tokens                       act   401        403     403     yes    403   403      403            403              403  403  401
/tools/tokens                       read  401        403     403     yes    403   403      403            403              403  403  401
/tools/users                        act   401        403     403     yes    403   403      403            403              403  403  401
/tools/users                        read  401        403     403     yes    403   403      403            403              403  403  401
/tools/users/{name}                 act   401        403     403     yes    403   403      403            403              403  403  401
/tools/users/{name}                 read  401        403     403     yes    403   403      403            403              403  403  401
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

/** Values of parameters. Message 1 is about ALP, message 2 about BET. */
const PARAMETERS: Readonly<Record<string, (property: string) => string>> = {
  hotelCode: (property) => property,
  code: (property) => property,
  id: (property) => (property === "ALP" ? "1" : "2"),
  file: () => "none.css",
  name: () => "none",
  document: () => "channel",
  section: () => "errors",
};

function fill(route: string, property: string): string {
  const isCategory = route.startsWith("/category/{");
  return route.replaceAll(/\{(\w+)\}/g, (_, name: string) => (isCategory && name === "code" ? "DBL" : PARAMETERS[name]!(property)));
}

type Headers = Readonly<Record<string, string>>;

type Asker = {
  get(url: string): Promise<LightMyRequestResponse>;
  post(url: string, fields: Readonly<Record<string, string>>): Promise<LightMyRequestResponse>;
};

describe("the matrix of access", () => {
  let open: TestApp;
  let service: TestApp;
  let routes: KnownRoute[];
  let addresses = 0;
  let askers: Readonly<Record<Column, Asker>>;

  before(async () => {
    open = await startApp();
    await makeHotel(open);
    await makeProperty(open, { code: "BET", name: "Bettenburg" });
    for (const code of ["ALP", "BET"]) await postXml(open, countMessage().replace("ALP", code));
    service = await startApp({ database: open.database, settings: TWO_ROLES });
    ({ routes } = (await open.inject("/tools/routes?format=json")).json<{ routes: KnownRoute[] }>());
    const limited = asker(await tokenHeaders({ name: "limited", scopes: SCOPES, properties: ["ALP"] }));
    const secret = await addSender(service.database, { name: "pms" });
    const all: [Column, Asker][] = [
      ["anonymous", service.visitor()],
      ["ALP", limited],
      ["BET", limited],
      ["sender", asker({ "x-api-key": secret })],
    ];
    for (const role of ROLES) all.push([role, await personAsker(role)]);
    for (const scope of SCOPES) all.push([scope, asker(await tokenHeaders({ name: scope, scopes: [scope], properties: undefined }))]);
    askers = Object.fromEntries(all) as Record<Column, Asker>;
  });
  after(async () => {
    await service.close();
    await open.close();
  });

  /** Each request comes from another address, because an address with wrong credentials is locked out. */
  function asker(headers: Headers): Asker {
    const ask = (request: InjectOptions) => service.inject({ remoteAddress: `10.0.0.${addresses++ % 250}`, ...request });
    return {
      get: (url) => ask({ url, headers }),
      post: (url, fields) => {
        const type = { "content-type": "application/x-www-form-urlencoded" };
        return ask({ method: "POST", url, headers: { ...type, ...headers }, payload: new URLSearchParams(fields).toString() });
      },
    };
  }

  async function tokenHeaders(token: Omit<NewToken, "expiresAt">): Promise<Headers> {
    const secret = await createToken(service.database, { ...token, expiresAt: undefined }, BY_TEST);
    return { authorization: `Bearer ${secret}` };
  }

  /** Signs in with the form, and takes the form token of a page that has one for everyone. */
  async function personAsker(role: Role): Promise<Asker> {
    const name = `the ${role}`;
    await addPerson(service, name, role);
    const { visitor } = await signInByForm(service, { name });
    return {
      get: (url) => visitor.get(url),
      async post(url, fields) {
        await visitor.get(url.startsWith("/tools/invitation") ? url : "/tools/account");
        return visitor.post(url, fields);
      },
    };
  }

  test("has a row for each route", () => {
    const expected = routes.flatMap((route) => kindsOf(route).map((kind) => `${route.path} ${kind}`));
    assert.deepEqual(
      readMatrix().map(({ route, kind }) => `${route} ${kind}`),
      expected.toSorted(),
    );
  });

  test("says who may do what", async () => {
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
        kind === "read" ? one.get(`${url}?${new URLSearchParams(named).toString()}`) : one.post(url, { action: "none", ...named });
      cells.push([column, cellOf(await answer)]);
    }
    return Object.fromEntries(cells) as Cells;
  }

  test("treats every other method like a GET, which tokens may not use", async () => {
    const token = await tokenHeaders({ name: "all scopes", scopes: SCOPES, properties: undefined });
    const others = METHODS.filter((method) => !["GET", "HEAD", "CONNECT"].includes(method)) as InjectOptions["method"][];
    const found: string[] = [];
    for (const { route, cells } of readMatrix().filter(({ kind, route: path }) => kind === "read" && isForAnyMethod(path)))
      for (const method of others) {
        const url = fill(route, "ALP");
        const statusOf = async (headers: Headers) => cellOf(await service.inject({ method, url, headers }));
        const expected = [cells.anonymous, cells.viewer, cells.anonymous === "yes" ? "yes" : "403"];
        const actual = [await statusOf({}), await statusOf(basic(VIEWER_PASSWORD)), await statusOf(token)];
        if (expected.join() !== actual.join()) found.push(`${method} ${route}: ${actual.join(", ")} instead of ${expected.join(", ")}`);
      }
    assert.deepEqual(found, []);
  });

  test("refuses every act without a form token", async () => {
    const rows = readMatrix().filter(({ kind, cells }) => kind === "act" && cells.admin === "yes" && cells.anonymous !== "yes");
    assert.ok(rows.length > 30);
    for (const { route } of rows) {
      const headers = basic(ADMIN_PASSWORD);
      const { statusCode, body } = await postForm(service, fill(route, "ALP"), { fields: { action: "none" }, headers });
      assert.deepEqual([statusCode, body.includes("Invalid CSRF token")], [403, true], route);
    }
  });

  function isForAnyMethod(path: string): boolean {
    return routes.some((route) => route.path === path && route.methods.includes("any") && route.access !== "sender");
  }
});

/** Routes for any method treat all of them like GET, except a POST with an `action`. */
function kindsOf({ methods }: KnownRoute): string[] {
  if (methods.includes("any")) return ["read", "act"];
  return [methods.includes("GET") ? "read" : undefined, methods.includes("POST") ? "act" : undefined].filter((kind) => kind !== undefined);
}

function cellOf({ statusCode }: LightMyRequestResponse): string {
  assert.ok(statusCode < 500 && statusCode !== 429, `status ${statusCode}`);
  return statusCode === 401 || statusCode === 403 ? String(statusCode) : "yes";
}
