import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { modules } from "../src/modules/modules.ts";
import { settings } from "../src/settings.ts";
import { readSources, type Source } from "./support/sources.ts";

const root = new URL("../", import.meta.url);
const all = ["src/", "migrations/", "test/", "e2e/", "bench/", "scripts/"].flatMap((folder) => readSources(`${folder}**/*.{ts,mjs}`));
const product = all.filter(({ path }) => path.startsWith("src/") && !path.endsWith(".test.ts"));

/** The parts that each part may import. ARCHITECTURE.md contains the same table. */
const LAYERS: Record<string, readonly string[]> = {
  start: ["main"],
  main: ["cli"],
  cli: [
    "database-url",
    "app",
    "modules",
    "webhooks",
    "outgoing",
    "errors",
    "access",
    "journal",
    "records",
    "web",
    "db",
    "calendar",
    "xml",
    "config",
    "clock",
  ],
  app: ["modules", "errors", "access", "web", "db", "secrets", "config", "clock"],
  modules: [
    "grid",
    "webhooks",
    "journal",
    "records",
    "errors",
    "access",
    "web",
    "db",
    "calendar",
    "xml",
    "text",
    "passwords",
    "secrets",
    "settings",
    "config",
    "clock",
  ],
  grid: ["journal", "web", "db", "calendar", "text", "clock"],
  access: ["records", "web", "db", "clock"],
  webhooks: ["journal", "records", "outgoing", "web", "db", "calendar", "clock"],
  errors: ["records", "outgoing", "web", "db", "calendar", "secrets", "clock"],
  journal: ["records", "db", "calendar"],
  outgoing: ["web"],
  records: ["db", "calendar", "text"],
  web: ["text", "secrets", "clock"],
  db: ["database-url"],
  calendar: [],
  xml: [],
  config: ["passwords", "settings"],
  settings: ["database-url"],
  "database-url": [],
  passwords: [],
  text: [],
  secrets: [],
  clock: [],
};

/** The modules that a module may import. */
const MODULE_EDGES: Record<string, readonly string[]> = {
  dev: ["channel"],
  alerts: ["channel"],
  home: ["alerts", "channel", "dev"],
  import: ["category", "property"],
  property: ["channel"],
};

/** Files in `src/modules/` that don't belong to a module. */
const SHARED = /^src\/modules\/[^/]+$/;

const edges = product.flatMap((source) => source.imports.filter((to) => to.startsWith("src/")).map((to) => ({ from: source.path, to })));
const moduleEdges = edges.filter(({ from, to }) => moduleOf(from) && moduleOf(to) && moduleOf(from) !== moduleOf(to));

test("imports follow the layers", () => {
  assertAllowed(
    edges.filter(({ from, to }) => layerOf(from) !== layerOf(to)),
    layerOf,
    LAYERS,
  );
});

test("there are no import cycles, not even of types", () => {
  assertNone(findCycles(product));
});

test("the error log imports only audit.ts from records", () => {
  const found = edges.filter(({ from, to }) => layerOf(from) === "errors" && layerOf(to) === "records");
  assert.deepEqual(
    found.filter(({ to }) => to !== "src/records/audit.ts"),
    [],
  );
});

test("modules import only the modules that they are allowed to", () => {
  assertAllowed(moduleEdges, (path) => moduleOf(path)!, MODULE_EDGES);
});

test("module.ts imports no module, and only the app imports modules.ts", () => {
  const shared = edges.filter(({ from, to }) => SHARED.test(from) && moduleOf(to));
  assertNone(shared.filter(({ from }) => from.endsWith("/module.ts")).map(arrow));
  assertNone(edges.filter(({ from, to }) => to === "src/modules/modules.ts" && layerOf(from) === "modules").map(arrow));
  const routes = shared.map(({ to }) => to).filter((to) => to.endsWith("/routes.ts"));
  assert.equal(routes.length, modules.length);
});

test("modules don't import routes or pages of other modules", () => {
  assertNone(moduleEdges.filter(({ to }) => /(^|[-/])(routes?|pages?)(\.|\/)/.test(to)).map(arrow));
});

test("each module declares exactly the modules that it uses", () => {
  for (const { name, uses } of modules) {
    const used = new Set(moduleEdges.filter(({ from }) => moduleOf(from) === name).map(({ to }) => moduleOf(to)!));
    assert.deepEqual(uses.toSorted(), [...used].toSorted(), `uses of ${name}`);
  }
});

test("each folder in src/modules is a registered module", () => {
  const folders = readdirSync(new URL("src/modules/", root), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  assert.deepEqual(modules.map(({ name }) => name).toSorted(), folders.map(({ name }) => name).toSorted());
});

test("each table exists and has at most one owner", () => {
  const declared = /^ {2}(\w+): \w+Row;$/gm;
  const added = /^ {2}interface Tables \{\n {4}(\w+):/gm;
  const tables = new Set(
    product.flatMap(({ path, text }) => [...text.matchAll(path === "src/db/schema.ts" ? declared : added)].map((match) => match[1]!)),
  );
  assert.ok(tables.size > 5);
  const owned = modules.flatMap((module) => module.tables);
  assertNone(owned.filter((table, index) => !tables.has(table) || owned.indexOf(table) !== index));
});

test("only config.ts and start.mjs read the environment", () => {
  assertOnly(/\bprocess\.env\b/, ["src/config.ts", "src/start.mjs"]);
});

test("only clock.ts reads the time of day", () => {
  assertOnly(/\bDate\.now\b|\bnew Date\(\)|(?<!new )\bDate\(\)|\bTemporal\.Now\b(?!\.timeZoneId)/, ["src/clock.ts"]);
});

test("only clock.ts and db read the monotonic clock", () => {
  assertOnly(/\bperformance\.now\b|\bprocess\.hrtime\b/, ["src/clock.ts", "src/db/"]);
});

test("only main.ts ends the process", () => {
  assertOnly(/\bprocess\.((exit|abort)\(|kill\((?!pid, 0\)))/, ["src/main.ts"]);
});

test("only db imports a database engine", () => {
  const engines = ["node:sqlite", "pg", "better-sqlite3", "postgres"];
  assertNone(product.filter(({ path, imports }) => !path.startsWith("src/db/") && imports.some((to) => engines.includes(to))).map(pathOf));
});

test("only db and stores contain SQL", () => {
  const places = /^src\/(db|journal|access)\/|^src\/records\/[\w-]+\.ts$|(^|[-/])store\.ts$/;
  assertNone(
    product
      .filter(
        ({ path, code }) =>
          !places.test(path) && /\bsql`|\bsql\.raw\(|from "kysely"|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/.test(code),
      )
      .map(pathOf),
  );
});

test("only web/html.ts and web/markdown.ts create Html", () => {
  assertOnly(/\bnew Html\(/, ["src/web/html.ts", "src/web/markdown.ts"]);
});

test("migrations import nothing", () => {
  assertNone(all.filter(({ path, imports }) => path.startsWith("migrations/") && imports.length > 0).map(pathOf));
});

test("no source file has more than 300 lines", () => {
  assertNone(product.filter(({ text }) => text.split("\n").length > 301).map(pathOf));
});

test("file names are kebab-case and avoid generic words", () => {
  const forbidden = new Set([
    "service",
    "services",
    "manager",
    "managers",
    "helper",
    "helpers",
    "util",
    "utils",
    "data",
    "info",
    "misc",
    "common",
  ]);
  const wrong = product.filter(({ path }) => {
    const name = path
      .split("/")
      .at(-1)!
      .replace(/(\.test)?\.(ts|mjs)$/, "");
    return !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || name.split("-").some((word) => forbidden.has(word));
  });
  assertNone(wrong.map(pathOf));
});

test(".env.example lists exactly the settings", () => {
  const example = new URL(".env.example", root);
  assert.ok(existsSync(example), ".env.example is missing");
  const lines = [...readFileSync(example, "utf8").matchAll(/^#?\s*([A-Z][A-Z_]+)=/gm)].map((match) => match[1]!);
  assert.deepEqual(lines.toSorted(), Object.keys(settings).toSorted());
});

test("src imports only packages that npm start installs", () => {
  const { dependencies } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as { dependencies: Record<string, string> };
  const exists = (to: string) => /^(src\/|node:)/.test(to) || Object.keys(dependencies).some((name) => `${to}/`.startsWith(`${name}/`));
  assertNone(product.flatMap(({ path, imports }) => imports.filter((to) => !exists(to)).map((to) => arrow({ from: path, to }))));
});

test("src doesn't import tests, scripts or benchmarks", () => {
  assertNone(product.filter(({ imports }) => imports.some((to) => /^(test|e2e|bench|scripts)\//.test(to))).map(pathOf));
});

function layerOf(path: string): string {
  return path.split("/")[1]!.replace(/\.(ts|mjs)$/, "");
}

function moduleOf(path: string): string | undefined {
  return path.match(/^src\/modules\/([^/]+)\//)?.[1];
}

/** Returns each import cycle once, as a path from a file back to itself. */
function findCycles(sources: readonly Source[]): string[] {
  const imports = new Map(sources.map(({ path, imports: to }) => [path, to]));
  const done = new Set<string>();
  const walk = (path: string, from: readonly string[]): string[] => {
    if (from.includes(path)) return [[...from.slice(from.indexOf(path)), path].join(" -> ")];
    if (done.has(path)) return [];
    const found = (imports.get(path) ?? []).flatMap((to) => walk(to, [...from, path]));
    done.add(path);
    return found;
  };
  return sources.flatMap(({ path }) => walk(path, []));
}

type Edge = { from: string; to: string };

/** Asserts that every import is allowed and that every allowed import occurs. */
function assertAllowed(found: readonly Edge[], placeOf: (path: string) => string, allowed: Record<string, readonly string[]>): void {
  assertNone(found.filter(({ from, to }) => !allowed[placeOf(from)]?.includes(placeOf(to))).map(arrow));
  const used = new Set(found.map(({ from, to }) => arrow({ from: placeOf(from), to: placeOf(to) })));
  const listed = Object.entries(allowed).flatMap(([from, places]) => places.map((to) => arrow({ from, to })));
  assertNone(listed.filter((edge) => !used.has(edge)));
}

function arrow({ from, to }: Edge): string {
  return `${from} -> ${to}`;
}

function pathOf({ path }: Source): string {
  return path;
}

/** Asserts that the pattern occurs only in files whose path starts with one of `places`. */
function assertOnly(pattern: RegExp, places: readonly string[]): void {
  assert.ok(
    product.some(({ path, code }) => path.startsWith(places[0]!) && pattern.test(code)),
    `${places[0]} does not match ${pattern} itself`,
  );
  assertNone(product.filter(({ path, code }) => !places.some((place) => path.startsWith(place)) && pattern.test(code)).map(pathOf));
}

function assertNone(found: readonly string[]): void {
  assert.deepEqual(found, []);
}
