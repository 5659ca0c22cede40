import type { LightMyRequestResponse } from "fastify";
import type { TestApp } from "./app.ts";
import type { Amount } from "./records.ts";

export type Visit = {
  route: string;
  url: string;
  status: number;
  /** Form fields to submit. `_csrf` replaces the page's token. */
  post?: Readonly<Record<string, string>>;
  to?: string;
};

const INVALID_QUERY = /(?:from|compare)=never|status=nonsense/;

/** Routes without a page. */
const PAGELESS = [
  "/assets/{file}",
  "/changes",
  "/dev/senders/{name}/tail",
  "/dev/tail",
  "/channel/schema.json",
  "/dev/docs/openapi.json",
  "/_errors/log",
  "/_errors/csp",
];

export async function pageRoutes(service: TestApp): Promise<string[]> {
  const { routes } = (await service.inject("/tools/routes?format=json")).json<{ routes: { path: string }[] }>();
  return [...new Set(routes.map(({ path }) => path))].filter((path) => !PAGELESS.includes(path)).toSorted();
}

export async function visitsOf(service: TestApp, amount: Amount): Promise<Visit[]> {
  const lists = LISTS.map((url) => visit(routeOf(url), url));
  if (amount === "nothing") return [...lists, ...ERRORS];
  const records = amount === "little" ? recordVisits("ALP", "DBL") : recordVisits("L".repeat(64), "L".repeat(64));
  const refused = amount === "little" ? REFUSED : [];
  const many = amount === "much" ? MANY : [];
  return [...many, ...lists, ...records, ...(await entryVisits(service)), ...refused, ...ERRORS];
}

/** Opens a page as a new visitor. If the visit has form fields, submits them with the values that the form already has. */
export async function openVisit(service: TestApp, { url, post, to = url }: Visit): Promise<LightMyRequestResponse> {
  const visitor = service.visitor();
  const opened = await visitor.get(url, { accept: "text/html" });
  return post === undefined ? opened : visitor.post(to, { ...typedIn(opened.body), ...post });
}

function typedIn(body: string): Record<string, string> {
  const [, version] = /name="version" value="(\d+)"/.exec(body) ?? [];
  const [, xml] = /<textarea id="f-xml"[^>]*>([^<]*)</.exec(body) ?? [];
  return { ...(version !== undefined && { version }), ...(xml !== undefined && { xml }) };
}

/** Routes whose pages do not depend on the amount of data. */
const FIXED_PAGES = [
  "error",
  "/tools/account",
  "/tools/tokens",
  "/tools/invitation",
  "/property/new",
  "/channel",
  "/tools",
  "/tools/aliases",
  "/tools/caches",
  "/tools/dbsync",
].concat(["/tools/env", "/tools/modules", "/tools/phpinfo", "/tools/readiness", "/tools/request", "/tools/routes"]);

export function dependsOnAmount({ route }: Visit): boolean {
  return !FIXED_PAGES.includes(route);
}

const LISTS = [
  ...[
    "/",
    "/property",
    "/property?q=nothing+has+this+name",
    "/property?status=nonsense",
    "/property/new",
    "/category",
    "/category?q=nothing",
    "/category/new",
  ],
  ...["/inventories?choose=property&show=problems", "/rates?choose=property&days=3&problem=closed"],
  ...["/inventories", "/rates", "/channel", "/dev", "/dev/channel", "/dev/channel?example=counts-of-a-week"],
  ...["/dev/logs", "/dev/logs?outcome=refused", "/dev/logs?from=never", "/dev/logs?q=nothing+has+this"],
  ...["/dev/logs?view=causes", "/dev/logs?view=causes&from=never", "/dev/logs?view=causes&outcome=ok"],
  ...["/dev/logs?view=removal", "/dev/logs?view=removal&days=0"],
  ...["/tools", "/tools/aliases", "/tools/caches", "/tools/dbsync", "/tools/env", "/tools/modules", "/tools/phpinfo", "/tools/readiness"],
  ...[
    "/tools/users",
    "/tools/account",
    "/tools/invitation",
    "/tools/tokens",
    "/tools/audit",
    "/dev/senders",
    "/dev/webhooks",
    "/tools/alerts",
    "/tools/import",
    "/tools/import/edit?kind=category",
    "/tools/import/edit?chosen=ALP&q=a",
  ],
  ...["/tools/views", "/tools/views?grid=rates&query=days%3D7", "/dev/docs", "/dev/docs/api"],
  ...["/tools/search", "/tools/search?q=a", "/tools/search?q=a&tab=rates", "/tools/search?q=nothing+has+this"],
  ...["/tools/plans", "/tools/property"],
  ...["/tools/audit?actor=nobody", "/tools/audit?from=never"],
  ...[
    "/tools/request?a=1&b=%3Cb%3E",
    "/tools/routes",
    "/tools/routes?path=/propety",
    "/tools/routes?path=/property/ALP",
    "/tools/routes?q=zzz",
  ],
  ...[
    "/tools/errors",
    "/tools/errors?source=csp",
    "/tools/errors?view=groups",
    "/tools/errors?view=groups&state=all&sort=count",
    "/tools/errors?state=muted",
    "/tools/errors?from=never",
    "/tools/errors?view=groups&from=never&state=closed",
    "/tools/errors?q=nothing+has+this",
  ],
];

const MANY = ["/property?sort=-name&size=25&page=2", "/property?q=hotel", "/category?hotelCode=SEED00001", "/category?sort=-code&page=2"]
  .concat(["/dev/logs?property=SEED00001", "/tools/errors?status=404&size=25"])
  .concat(["/rates?property=SEED00001&view=year", "/inventories?property=SEED00001&view=year&show=problems"])
  .concat(["/inventories?property=SEED00001&days=28", "/rates?property=SEED00001", "/rates?property=SEED00001&view=list&days=7"])
  .map((url) => visit(routeOf(url), url));

function recordVisits(property: string, category: string): Visit[] {
  const of = `property=${property}`;
  const grids = ["/inventories", "/rates"].flatMap((grid) =>
    [
      `${grid}?${of}`,
      `${grid}?${of}&category=${category}&days=28`,
      `${grid}?${of}&category=${category}&view=list`,
      `${grid}?${of}&view=calendar&days=28`,
      `${grid}?${of}&category=${category}&night=2026-11-22`,
      `${grid}?${of}&nightCategory=${category}&night=2026-11-22`,
      `${grid}?${of}&only=gaps&days=7`,
      `${grid}?${of}&from=2030-01-01`,
      `${grid}?${of}&days=31&compare=2026-11-19T09:00Z&select=2026-11-20/2026-11-22,${category}/`,
      `${grid}?${of}&compare=never&select=never`,
      `${grid}?${of}&from=never&asOf=never&days=3`,
    ].map((url) => visit(grid, url)),
  );
  return [
    visit("/dev/channel", `/dev/channel?${of}&grid=rates&select=2026-11-20/2026-11-22,${category}/`),
    visit("/property/{code}", `/property/${property}`),
    visit("/property/{code}/edit", `/property/${property}/edit`),
    visit("/category/{hotelCode}/{code}/edit", `/category/${property}/${category}/edit`),
    visit("/category/new", `/category/new?hotelCode=${property}`),
    visit("/tools/property", `/tools/property?${of}`),
    visit("/tools/plans", `/tools/plans?${of}`),
    visit("/tools/plans", `/tools/plans?${of}&view=new`),
    visit("/tools/users/{name}", "/tools/users/anna"),
    visit("/dev/senders/{name}", "/dev/senders/none", { status: 404 }),
    visit("/dev/webhooks/{id}", "/dev/webhooks/1", { status: 404 }),
    visit("/tools/import/{id}", "/tools/import/1"),
    visit("/tools/import/{id}", "/tools/import/1?show=new&page=2"),
    visit("/tools/import/{id}", "/tools/import/2"),
    visit("/tools/import/{id}", "/tools/import/3"),
    visit("/dev/docs/{document}", "/dev/docs/channel"),
    visit("/dev/docs/{document}/{section}", "/dev/docs/channel/errors"),
    ...grids,
  ];
}

type Listed = { id: number; outcome?: string; class?: string; source?: string };

/** Returns one entry of each kind from both logs. */
async function entryVisits(service: TestApp): Promise<Visit[]> {
  const { messages } = (await service.inject("/dev/logs?format=json")).json<{ messages: Listed[] }>();
  const { errors } = (await service.inject("/tools/errors?format=json")).json<{ errors: Listed[] }>();
  const oneOfEach = (entries: Listed[]) => [
    ...new Map(entries.map((entry) => [`${entry.outcome} ${entry.class} ${entry.source}`, entry])).values(),
  ];
  return [
    ...oneOfEach(messages).flatMap(({ id }) =>
      ["", "?compare=previous"].map((query) => visit("/dev/logs/{id}", `/dev/logs/${id}${query}`)),
    ),
    ...oneOfEach(errors).map(({ id }) => visit("/tools/errors/{id}", `/tools/errors/${id}`)),
  ];
}

const REFUSED: readonly Visit[] = [
  visit("/property/new", "/property/new", {
    status: 422,
    post: { code: "no code", name: "", latitude: "91", email: "x", horizonDays: "1" },
  }),
  visit("/property/new", "/property/new", { status: 422, post: { code: "ALP", name: "There already" } }),
  visit("/property/{code}/edit", "/property/ALP/edit", { status: 422, post: { name: "" } }),
  visit("/property/{code}/edit", "/property/ALP/edit", { status: 422, post: { name: "Someone else was first", version: "0" } }),
  visit("/category/new", "/category/new", { status: 422, post: { hotelCode: "NONE", code: "", name: "", rooms: "many", photos: "x" } }),
  visit("/category/{hotelCode}/{code}/edit", "/category/ALP/DBL/edit", {
    status: 422,
    post: { name: "", standardOccupancy: "5", maxOccupancy: "2" },
  }),
  visit("/dev/channel", "/dev/channel", { status: 200, post: { action: "send", run: "dry", xml: "<OTA_PingRQ/>" } }),
  visit("/dev/channel", "/dev/channel?example=counts-of-a-week", { status: 200, post: { action: "send", run: "dry" } }),
  visit("/dev/logs", "/dev", { status: 422, post: { action: "remove", before: "1795165200001" }, to: "/dev/logs?view=removal" }),
  visit("/tools/errors", "/tools/errors?view=groups&state=all", { status: 409, post: { action: "resolve" } }),
  visit("/tools/errors", "/tools/errors?view=groups&state=all", { status: 422, post: { action: "mute", for: "louder", above: "<b>" } }),
  visit("/tools/property", "/tools/property?property=ALP", { status: 422, post: { action: "duplicate", code: "ALP", name: "" } }),
  ...["", "&view=merge", "&view=remove"].map((view) => visit("/tools/plans", `/tools/plans?property=ALP&plan=BAR${view}`)),
  visit("/tools/plans", "/tools/plans?property=ALP&plan=BAR&view=merge&into=NONE"),
  visit("/tools/plans", "/tools/plans?property=ALP&plan=BAR", { status: 422, post: { action: "save", mealPlan: "99" } }),
  visit("/tools/plans", "/tools/plans?property=ALP&view=new", { status: 422, post: { action: "create", code: "" } }),
  visit("/tools/users", "/tools/users", { status: 422, post: { action: "create", name: "a b", role: "none" } }),
  visit("/tools/users/{name}", "/tools/users/anna", { status: 200, post: { action: "invite" } }),
  visit("/dev/senders", "/dev/senders", { status: 422, post: { action: "create", name: "" } }),
  visit("/tools/alerts", "/tools/alerts", { status: 422, post: { action: "create", kind: "silent", property: "NONE" } }),
  visit("/dev/webhooks", "/dev/webhooks", { status: 422, post: { action: "create", name: "", url: "ftp://x" } }),
  visit("/tools/import", "/tools/import", { status: 422, post: { action: "upload", text: "" } }),
  visit("/tools/import/edit", "/tools/import/edit", { status: 422, post: { action: "edit", kind: "property", "set-horizonDays": "1" } }),
  visit("/tools/import/{id}", "/tools/import/3", { status: 422, post: { action: "read", c0: "name", c1: "name", c2: "none" } }),
  visit("/rates", "/rates?choose=property&days=none", { status: 422 }),
  visit("/tools/views", "/tools/views", { status: 422, post: { action: "save", name: "", grid: "none" } }),
  visit("/tools/tokens", "/tools/tokens", { status: 422, post: { action: "create", name: "" } }),
  visit("/tools/invitation", "/tools/invitation", { status: 422, post: { action: "open", secret: "none" } }),
  visit("/tools/caches", "/tools/caches", { status: 409, post: { action: "clear", cache: "none" } }),
  visit("/property/new", "/property/new", { status: 403, post: { _csrf: "wrong", code: "LOST", name: 'Kept "as" <typed>' } }),
  visit("/property/{code}/edit", "/property/ALP/edit", {
    status: 403,
    post: { _csrf: "wrong", website: `https://h.example/${"x".repeat(150)}` },
  }),
  visit("/dev", "/dev", { status: 500, post: { action: "raise", kind: "unexpected" } }),
  visit("/dev", "/dev", { status: 409, post: { action: "raise", kind: "http" } }),
];

const ERRORS: readonly Visit[] = [
  "/no/such/page",
  "/property/NONE",
  "/category/NONE/NONE/edit",
  "/dev/logs/999999999",
  "/tools/errors/999999999",
]
  .concat([`/${"x".repeat(3000)}`, "/%zz", "/property/"])
  .map((url) => visit("error", url, { status: 404 }));

function routeOf(url: string): string {
  return url.split("?", 1)[0]!;
}

function visit(route: string, url: string, more: Partial<Visit> = {}): Visit {
  return { route, url, status: INVALID_QUERY.test(url) ? 422 : 200, ...more };
}

export function nameOf({ url, status, post }: Visit): string {
  const shown = url.length > 90 ? `${url.slice(0, 90)}…` : url;
  return post === undefined ? shown : `${shown}, form ${JSON.stringify(post)}, status ${status}`;
}
