import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { each, type Html, html } from "../../../web/html.ts";
import { scrollTable } from "../../../web/parts/table.ts";
import { routeNames } from "../route-names.ts";
import type { ToolNeeds, Tool } from "../tool.ts";

/** A short name and what it stands for; `broken` says that the target is not there. */
type Alias = { name: string; target: string; broken: boolean };
type AliasesView = { paths: readonly Alias[]; routes: readonly Alias[]; parts: readonly Alias[] };

export const aliasesTool: Tool<AliasesView> = {
  slug: "aliases",
  title: "Aliases",
  about: "Short names and what they stand for: folders, routes, and the parts that modules are given.",
  async status(services) {
    const { paths, routes, parts } = await view(services);
    const broken = [...paths, ...routes, ...parts].filter((alias) => alias.broken).length;
    return broken === 0 ? "every target is there" : `${broken} broken`;
  },
  view: ({ services }) => view(services),
  page: ({ paths, routes, parts }) => ({
    main: html`${table("Folders", "Folder or file", paths)} ${table("Routes", "Address", routes)}
    ${table("Parts handed to modules", "What it is now", parts)}`,
  }),
};

async function view(services: ToolNeeds): Promise<AliasesView> {
  return { paths: pathAliases(services), routes: routeAliases(services), parts: await partAliases(services) };
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
  const known = new Set(routes.list().map((route) => route.path));
  return Object.entries(routeNames).map(([name, target]) => ({ name, target, broken: !known.has(target) }));
}

async function partAliases(services: ToolNeeds): Promise<Alias[]> {
  const { caches, routes, modules, config } = services;
  const { engine, version, location } = await services.database.describe();
  const described: Record<keyof ToolNeeds, string> = {
    config: `${config.set.size} settings from the environment, the others at their default`,
    clock: "the clock of the machine",
    database: `${engine} ${version}, ${location}`,
    caches: `${caches.list().length} caches`,
    errors: "the error log",
    routes: `${routes.list().length} routes`,
    modules: `${modules.length} modules`,
    loadTimes: "how long each module took to register",
    startedAt: "when this process started",
  };
  const names = new Set([...Object.keys(described), ...Object.keys(services)]);
  return [...names].map((name) => {
    const present = services[name as keyof ToolNeeds] !== undefined;
    return { name, target: described[name as keyof ToolNeeds] ?? "not described here", broken: !present };
  });
}

function table(title: string, head: string, aliases: readonly Alias[]): Html {
  return html`<section>
    <h2>${title}</h2>
    ${scrollTable(
      { label: title, heads: ["Alias", head, "State"], narrow: "stacked" },
      each(
        aliases,
        ({ name, target, broken }) =>
          html`<tr>
            <th scope="row"><code>${name}</code></th>
            <td><code>${target}</code></td>
            <td>${broken ? html`<span class="badge bad">broken</span>` : html`<span class="badge good">there</span>`}</td>
          </tr>`,
      ),
    )}
  </section>`;
}
