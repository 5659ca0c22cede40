import { readdirSync } from "node:fs";
import { each, type Html, html, nothing } from "../../../web/html.ts";
import { counted } from "../../../web/parts/amount.ts";
import { scrollTable } from "../../../web/parts/table.ts";
import { path, withQuery } from "../../../web/path.ts";
import type { Services } from "../../module.ts";
import { words } from "../parts.ts";
import type { Tool } from "../tool.ts";

const FOLDER = new URL("../../", import.meta.url);

type ModuleFacts = {
  name: string;
  about: string;
  routes: readonly string[];
  tables: readonly string[];
  caches: readonly string[];
  uses: readonly string[];
};

/** `faults` are differences between the folders and the list, and modules that use unknown ones. */
type ModulesView = { modules: readonly ModuleFacts[]; faults: readonly string[] };

export const modulesTool: Tool<ModulesView> = {
  slug: "modules",
  title: "Modules",
  about: "The folders of src/modules: what each is for, answers, owns and uses.",
  status(services) {
    const { modules, faults } = view(services);
    return faults.length === 0 ? `${modules.length} modules` : `${modules.length} modules, ${faults.length} to look at`;
  },
  view: ({ services }) => view(services),
  page: ({ modules, faults }) => ({
    main: html`${faults.length > 0 ? html`<div class="notice bad">${each(faults, (fault) => html`<p>${fault}</p>`)}</div>` : nothing}
    ${scrollTable({ label: "Modules", heads: ["Module", "What it is for", "Routes", "Tables", "Caches", "Uses"], narrow: "stacked" }, each(modules, row))}`,
  }),
};

function view({ modules, routes, caches }: Services): ModulesView {
  const known = routes.list();
  const described = modules.map(({ name, about, tables, uses }) => ({
    name,
    about,
    routes: known.filter((route) => route.module === name).map((route) => `${route.methods.join(",")} ${route.path}`),
    tables,
    caches: caches
      .list()
      .map((cache) => cache.name)
      .filter((cache) => cache.split(/[ -]/, 1)[0] === name),
    uses,
  }));
  return { modules: described, faults: findFaults(modules) };
}

function findFaults(modules: Services["modules"]): string[] {
  const names = modules.map((module) => module.name);
  const folders = readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  return [
    ...folders
      .filter((folder) => !names.includes(folder))
      .map((folder) => `The folder src/modules/${folder} is not in the list of modules.`),
    ...names.filter((name) => !folders.includes(name)).map((name) => `The module ${name} has no folder in src/modules.`),
    ...modules.flatMap(({ name, uses }) =>
      uses.filter((used) => !names.includes(used)).map((used) => `The module ${name} uses ${used}, which is not in the list.`),
    ),
  ];
}

function row(module: ModuleFacts): Html {
  return html`<tr id="${module.name}">
    <th scope="row"><code>${module.name}</code></th>
    <td class="words">${module.about}</td>
    <td class="nowrap">
      <a href="${withQuery(path`/tools/routes`, { q: `module:${module.name}` })}">${counted(module.routes.length, "route")}</a>
    </td>
    <td data-label="Tables">${words(module.tables)}</td>
    <td data-label="Caches">${words(module.caches)}</td>
    <td data-label="Uses">${words(module.uses)}</td>
  </tr>`;
}
