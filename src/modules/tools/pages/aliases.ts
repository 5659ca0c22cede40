import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { html, type Html } from "../../../web/html.ts";
import { type Column, columnTable } from "../../../web/parts/column-table.ts";
import { routeNames } from "../route-names.ts";
import type { ToolNeeds, Tool } from "../tool.ts";

type Alias = { name: string; target: string; broken: boolean };
type AliasesView = { paths: readonly Alias[]; routes: readonly Alias[]; parts: readonly Alias[] };

export const aliasesTool: Tool<AliasesView> = {
  slug: "aliases",
  title: "Aliases",
  about: "Short names for folders, routes and the services that modules use.",
  async status(services) {
    const { paths, routes, parts } = await view(services);
    const brokenCount = [...paths, ...routes, ...parts].filter((alias) => alias.broken).length;
    return brokenCount === 0 ? "all targets exist" : `${brokenCount} broken`;
  },
  view: ({ services }) => view(services),
  page: ({ paths, routes, parts }) => ({
    main: html`${table("Folders", "Folder or file", paths)} ${table("Routes", "Path", routes)} ${table("Services", "Current value", parts)}`,
  }),
};

async function view(services: ToolNeeds): Promise<AliasesView> {
  return { paths: pathAliases(services), routes: routeAliases(services), parts: await serviceAliases(services) };
}

const ROOT = new URL("../../../../", import.meta.url);

function pathAliases({ config }: ToolNeeds): Alias[] {
  const inProject = {
    "@root": "",
    "@app": "src/",
    "@modules": "src/modules/",
    "@migrations": "migrations/",
    "@public": "public/",
    "@docs": "docs/",
  };
  const targets = {
    ...Object.fromEntries(Object.entries(inProject).map(([name, folder]) => [name, fileURLToPath(new URL(folder, ROOT))])),
    "@data": config.dataDir,
  };
  return Object.entries(targets).map(([name, target]) => ({ name, target, broken: !existsSync(target) }));
}

function routeAliases({ routes }: ToolNeeds): Alias[] {
  const knownPaths = new Set(routes.list().map((route) => route.path));
  return Object.entries(routeNames).map(([name, target]) => ({ name, target, broken: !knownPaths.has(target) }));
}

async function serviceAliases(services: ToolNeeds): Promise<Alias[]> {
  const { caches, routes, modules, config } = services;
  const { engine, version, location } = await services.database.describe();
  const serviceTexts: Record<keyof ToolNeeds, string> = {
    config: `${config.set.size} settings from the environment, defaults for the rest`,
    clock: "system clock",
    database: `${engine} ${version}, ${location}`,
    caches: `${caches.list().length} caches`,
    errors: "error log",
    routes: `${routes.list().length} routes`,
    modules: `${modules.length} modules`,
    loadTimes: "registration time of each module",
    untrustedProxy: "returns the address of the last proxy outside TRUST_PROXY",
    startedAt: "start time of this process",
  };
  const names = new Set([...Object.keys(serviceTexts), ...Object.keys(services)]);
  return [...names].map((name) => {
    const present = services[name as keyof ToolNeeds] !== undefined;
    return { name, target: serviceTexts[name as keyof ToolNeeds] ?? "no description", broken: !present };
  });
}

function table(title: string, head: string, aliases: readonly Alias[]): Html {
  const columns: readonly Column<Alias>[] = [
    { head: "Alias", cell: ({ name }) => html`<code>${name}</code>` },
    { head, cell: ({ target }) => html`<code>${target}</code>` },
    {
      head: "State",
      cell: ({ broken }) => (broken ? html`<span class="badge bad">broken</span>` : html`<span class="badge good">OK</span>`),
    },
  ];
  return html`<section>
    <h2>${title}</h2>
    ${columnTable({ label: title, narrow: "stacked" }, columns, aliases)}
  </section>`;
}
