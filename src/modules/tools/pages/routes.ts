import { compareText } from "../../../calendar/compare-text.ts";
import { isRole } from "../../../web/guard/user.ts";
import { mapHtml, type Html, html, emptyHtml } from "../../../web/html.ts";
import { METHODS } from "../../../web/node-http.ts";
import { formatNumber } from "../../../web/parts/amount.ts";
import { type Column, columnTable } from "../../../web/parts/column-table.ts";
import { relativeMoment } from "../../../web/parts/moment.ts";
import { path } from "../../../web/path.ts";
import type { KnownRoute } from "../../../web/route-registry.ts";
import { localTarget } from "../../../web/target.ts";
import { type NearMiss, nearMisses } from "../near-misses.ts";
import { formatMs } from "../parts.ts";
import { routeNames } from "../route-names.ts";
import { toDate, type Tool, type ToolDeps } from "../tool.ts";

type NamedRoute = Omit<KnownRoute, "lastHitAt"> & { name: string | undefined; lastHitAt: Date | undefined };

type RoutesView = { q: string; total: number; routes: readonly NamedRoute[]; test: PathTest | undefined };

/** If `route` is undefined, the response is 404; `otherMethods` and `nearMisses` explain why. */
type PathTest = {
  method: string;
  path: string;
  route: string | undefined;
  params: Readonly<Record<string, string>>;
  otherMethods: readonly string[];
  nearMisses: readonly NearMiss[];
};

export const routesTool: Tool<RoutesView> = {
  slug: "routes",
  title: "Routes",
  about: "This process's routes, with their access rules and usage.",
  status: ({ routes }) => `${routes.list().length} routes`,
  view({ services, query }) {
    const all = services.routes.list().map((route) => ({ ...route, name: routeName(route.path), lastHitAt: toDate(route.lastHitAt) }));
    const q = query.q ?? "";
    const routes = all.filter((route) => matchesSearch(route, q)).toSorted((a, b) => compareText(a.path, b.path));
    return {
      q,
      total: all.length,
      routes,
      test: query.path === undefined ? undefined : testPath(services, query.method ?? "GET", query.path),
    };
  },
  page: (view) => ({ main: html`${searchForm(view)} ${testForm(view.test)} ${routeTable(view.routes)}` }),
};

function routeName(route: string): string | undefined {
  return Object.entries(routeNames).find(([, named]) => named === route)?.[0];
}

function matchesSearch(route: NamedRoute, q: string): boolean {
  const text = [...route.methods, route.path, route.name, route.about, route.module, route.access, route.place].join(" ").toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => (word.startsWith("module:") ? word === `module:${route.module}` : text.includes(word)));
}

function testPath({ routes, config }: ToolDeps, method: string, text: string): PathTest {
  const knownMethod = METHODS.includes(method.toUpperCase()) ? method.toUpperCase() : "GET";
  const testedPath = toRoutePath(text.slice(0, 2000), config.prefix);
  const match = routes.match(knownMethod, testedPath);
  const otherMethods = match ? [] : METHODS.filter((one) => routes.match(one, testedPath) !== undefined);
  const misses =
    match || otherMethods.length > 0
      ? []
      : nearMisses(
          testedPath,
          routes.list().map((route) => route.path),
        );
  return { method: knownMethod, path: testedPath, route: match?.route.path, params: match?.params ?? {}, otherMethods, nearMisses: misses };
}

function toRoutePath(typed: string, prefix: string): string {
  const target = /^(?:https?:\/)?\//i.test(typed) ? typed : `/${typed}`;
  return localTarget(target, prefix).split(/[?#]/, 1)[0] || "/";
}

function searchForm({ q, routes, total }: RoutesView): Html {
  return html`<form method="get" class="search">
    <div>
      <label for="f-q">Search (${routes.length} of ${total} routes)</label>
      <input id="f-q" name="q" type="search" value="${q}" placeholder="path, purpose or module" />
    </div>
    <button type="submit">Search</button>
  </form>`;
}

function testForm(test: PathTest | undefined): Html {
  return html`<form method="get" class="search" id="test">
      <div>
        <label for="f-path">Path</label>
        <input id="f-path" name="path" type="search" value="${test?.path ?? ""}" placeholder="/category/LUX01/DBL/edit" />
      </div>
      <div>
        <label for="f-method">Method</label>
        <select id="f-method" name="method">
          ${mapHtml(METHODS, (method) => (method === (test?.method ?? "GET") ? html`<option selected>${method}</option>` : html`<option>${method}</option>`))}
        </select>
      </div>
      <button type="submit">Test path</button>
    </form>
    ${test ? testVerdict(test) : emptyHtml}`;
}

function testVerdict(test: PathTest): Html {
  if (test.route !== undefined) {
    return html`<div class="notice good" role="status">
      <p><code>${test.method} ${test.path}</code> matches <code>${test.route}</code>.</p>
      ${mapHtml(Object.entries(test.params), ([name, value]) => html`<p><code>{${name}}</code> = <code>${value}</code></p>`)}
    </div>`;
  }
  return html`<div class="notice bad" role="status">
    <p>No route matches: <code>Route '${test.method} ${test.path}' not found</code> (404).</p>
    ${test.otherMethods.length > 0 ? html`<p>This path accepts only ${test.otherMethods.join(", ")}.</p>` : emptyHtml}
    ${mapHtml(test.nearMisses, (miss) => html`<p>Similar route: <code>${miss.path}</code>. ${miss.why}</p>`)}
  </div>`;
}

function routeTable(routes: readonly NamedRoute[]): Html {
  if (routes.length === 0) return html`<p>No routes match this search.</p>`;
  return columnTable({ label: "Routes", narrow: "stacked" }, ROUTE_COLUMNS, routes);
}

const ROUTE_COLUMNS: readonly Column<NamedRoute>[] = [
  { head: "Path", class: "nowrap", cell: ({ path: route, name }) => html`<code>${route}</code> ${mutedNote(name ?? "")}` },
  { head: "Methods", cell: ({ methods }) => html`<code>${methods.join(", ")}</code>` },
  { head: "Purpose", class: "words", cell: ({ about, place }) => html`${about} ${mutedNote(place)}` },
  { head: "Module", cell: ({ module }) => html`<a href="${path`/tools/modules`}#${module}">${module}</a>` },
  { head: "Access", narrow: "label", cell: accessWords },
  { head: "Form token", narrow: "label", cell: ({ token }) => (token === undefined ? "–" : TOKEN_LABELS[token]) },
  { head: { number: "Hits" }, cell: ({ hits }) => formatNumber(hits) },
  { head: "Last hit", class: "nowrap", narrow: "label", cell: ({ lastHitAt }) => relativeMoment(lastHitAt?.getTime()) },
  { head: { number: "p95" }, class: "nowrap", cell: ({ p95 }) => (p95 === undefined ? "–" : formatMs(p95)) },
];

function mutedNote(text: string): Html {
  return html`<div class="muted small">${text}</div>`;
}

function accessWords({ access, acts, token }: NamedRoute): string {
  return isRole(access) && token !== undefined && acts !== access
    ? `${ACCESS_LABELS[access]}; actions: ${ACCESS_LABELS[acts]}`
    : ACCESS_LABELS[access];
}

const ACCESS_LABELS: Record<KnownRoute["access"], string> = {
  open: "public",
  sender: "senders",
  viewer: "viewers",
  editor: "editors",
  admin: "administrators",
};
const TOKEN_LABELS: Record<NonNullable<KnownRoute["token"]>, string> = {
  always: "all POST requests",
  acting: "actions only",
  visitor: "actions, including visitors'",
  none: "none",
};
