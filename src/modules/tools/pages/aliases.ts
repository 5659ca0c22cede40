import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { html, type Html } from "../../../web/html.ts";
import { type Column, columnTable } from "../../../web/parts/column-table.ts";
import { routeNames } from "../route-names.ts";
import type { ToolDeps, Tool } from "../tool.ts";

type NamedAlias = { name: string; target: string; broken: boolean };
type AliasesView = { paths: readonly NamedAlias[]; routes: readonly NamedAlias[]; parts: readonly NamedAlias[] };

export const aliasesTool: Tool<AliasesView> = {
  slug: "aliases",
  title: "Aliases",
  about: "Short names for folders, routes and the services that modules use.",
  async status(services) {
    const { paths, routes, parts } = await readAliases(services);
    const brokenCount = [...paths, ...routes, ...parts].filter((alias) => alias.broken).length;
    return brokenCount === 0 ? "all targets exist" : `${brokenCount} broken`;
  },
  view: ({ services }) => readAliases(services),
  page: ({ paths, routes, parts }) => ({
    main: html`${aliasTable("Folders", "Folder or file", paths)} ${aliasTable("Routes", "Path", routes)}
    ${aliasTable("Services", "Current value", parts)}`,
  }),
};

async function readAliases(services: ToolDeps): Promise<AliasesView> {
  return { paths: pathAliases(services), routes: routeAliases(services), parts: await serviceAliases(services) };
}

const PROJECT_FOLDER = new URL("../../../../", import.meta.url);

function pathAliases({ config }: ToolDeps): NamedAlias[] {
  const projectPaths = {
    "@root": "",
    "@app": "src/",
    "@modules": "src/modules/",
    "@migrations": "migrations/",
    "@public": "public/",
    "@docs": "docs/",
  };
  const targets = {
    ...Object.fromEntries(Object.entries(projectPaths).map(([name, folder]) => [name, fileURLToPath(new URL(folder, PROJECT_FOLDER))])),
    "@data": config.dataDir,
  };
  return Object.entries(targets).map(([name, target]) => ({ name, target, broken: !existsSync(target) }));
}

function routeAliases({ routes }: ToolDeps): NamedAlias[] {
  const knownPaths = new Set(routes.list().map((route) => route.path));
  return Object.entries(routeNames).map(([name, target]) => ({ name, target, broken: !knownPaths.has(target) }));
}

async function serviceAliases(services: ToolDeps): Promise<NamedAlias[]> {
  const { caches, routes, modules, config } = services;
  const { engine, version, location } = await services.database.describe();
  const serviceTexts: Record<keyof ToolDeps, string> = {
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
    const present = services[name as keyof ToolDeps] !== undefined;
    return { name, target: serviceTexts[name as keyof ToolDeps] ?? "no description", broken: !present };
  });
}

function aliasTable(title: string, head: string, aliases: readonly NamedAlias[]): Html {
  const columns: readonly Column<NamedAlias>[] = [
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
