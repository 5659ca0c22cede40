import { readdirSync } from "node:fs";
import { mapHtml, type Html, html, emptyHtml } from "../../../web/html.ts";
import { formatCount } from "../../../web/parts/amount.ts";
import { type Column, columnTable } from "../../../web/parts/column-table.ts";
import { path, withQuery } from "../../../web/path.ts";
import { type ModuleDescription } from "../../module.ts";
import { codeList, formatMs, readVersion } from "../parts.ts";
import { routeNames } from "../route-names.ts";
import type { Tool, ToolDeps } from "../tool.ts";

const SOURCE_FOLDER = new URL("../../", import.meta.url);

type ModuleFacts = {
  name: string;
  about: string;
  routes: readonly string[];
  aliases: readonly string[];
  tables: readonly string[];
  caches: readonly string[];
  uses: readonly string[];
  jobs: readonly string[];
  loaded: number | undefined;
  faults: readonly string[];
};

type ModulesView = { version: string; modules: readonly ModuleFacts[]; faults: readonly string[] };

export const modulesTool: Tool<ModulesView> = {
  slug: "modules",
  title: "Modules",
  about: "The service's modules, with their routes, tables, caches, jobs and dependencies.",
  status(services) {
    const { modules, faults } = readModules(services);
    return faults.length === 0 ? `${modules.length} modules` : `${modules.length} modules, ${formatCount(faults.length, "problem")}`;
  },
  view: ({ services }) => readModules(services),
  page: ({ version, modules, faults }) => ({
    main: html`<p>Modules of Roomrack <code>${version}</code>.</p>
      ${faults.length > 0 ? html`<div class="notice bad">${mapHtml(faults, (fault) => html`<p>${fault}</p>`)}</div>` : emptyHtml}
      ${columnTable({ label: "Modules", narrow: "stacked" }, MODULE_COLUMNS, modules)}`,
  }),
};

function readModules(services: ToolDeps): ModulesView {
  const modules = services.modules.map((module) => describeModule(module, services));
  return { version: readVersion(), modules, faults: [...unlistedFolders(services.modules), ...modules.flatMap(({ faults }) => faults)] };
}

function describeModule(
  { name, about, tables, uses, jobs = [] }: ModuleDescription,
  { modules, routes, caches, loadTimes }: ToolDeps,
): ModuleFacts {
  const own = routes.list().filter((route) => route.module === name);
  const names = caches.list().map((cache) => cache.describe().name);
  return {
    name,
    about,
    routes: own.map((route) => `${route.methods.join(",")} ${route.path}`),
    aliases: Object.keys(routeNames).filter((alias) => own.some(({ path: of }) => of === routeNames[alias])),
    tables,
    caches: names.filter((cache) => cache.split(/[ -]/, 1)[0] === name),
    uses,
    jobs,
    loaded: loadTimes.get(name),
    faults: findProblems({ name, uses }, modules),
  };
}

function unlistedFolders(modules: readonly ModuleDescription[]): string[] {
  const unlistedNames = listFolders().filter((folder) => !modules.some(({ name }) => name === folder));
  return unlistedNames.map((folder) => `The folder src/modules/${folder} is not listed as a module.`);
}

function findProblems({ name, uses }: Pick<ModuleDescription, "name" | "uses">, modules: readonly ModuleDescription[]): string[] {
  const unknownModules = uses.filter((used) => !modules.some((module) => module.name === used));
  return [
    ...(listFolders().includes(name) ? [] : [`The module ${name} has no folder in src/modules.`]),
    ...unknownModules.map((used) => `The module ${name} uses ${used}, which is not a module.`),
  ];
}

function listFolders(): string[] {
  return readdirSync(SOURCE_FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}

const OK = html`<span class="badge good">OK</span>`;
const PROBLEM_BADGE = html`<span class="badge bad">problem</span>`;
const MODULE_COLUMNS: readonly Column<ModuleFacts>[] = [
  { head: "Module", cell: ({ name }) => html`<code id="${name}">${name}</code>` },
  { head: "Purpose", class: "words", cell: ({ about }) => about },
  { head: "Routes", cell: routesLink },
  { head: "Tables", narrow: "label", cell: ({ tables }) => codeList(tables) },
  { head: "Caches", narrow: "label", cell: ({ caches }) => codeList(caches) },
  { head: "Jobs", class: "words", narrow: "label", cell: ({ jobs }) => jobs.join(", ") || "–" },
  { head: "Uses", narrow: "label", cell: ({ uses }) => codeList(uses) },
  { head: { number: "Load time" }, class: "nowrap", cell: ({ loaded }) => (loaded === undefined ? "–" : formatMs(loaded)) },
  { head: "State", narrow: "label", cell: ({ faults }) => (faults.length === 0 ? OK : PROBLEM_BADGE) },
];

function routesLink({ name, routes, aliases }: ModuleFacts): Html {
  return html`<a class="nowrap" href="${withQuery(path`/tools/routes`, { q: `module:${name}` })}">${formatCount(routes.length, "route")}</a>
    <div class="muted small">${aliases.join(", ")}</div>`;
}
