import type { FastifyInstance, FastifyReply } from "fastify";
import { sendFaults, sendJson } from "../web/export.ts";
import { queryOf } from "../web/negotiate.ts";
import { type Page, sendPage } from "../web/page.ts";
import { path } from "../web/path.ts";
import { pickPage } from "./grid-page.ts";
import { readGridQuery } from "./grid-query.ts";
import type { GridScene } from "./grid-scene.ts";
import { type GridSources, openGrid } from "./open-grid.ts";

/** What `/inventories` and `/rates` differ in. */
export type GridView = {
  title: "Inventories" | "Rates";
  section: "inventories" | "rates";
  about: string;
  /** Answers CSV or JSON. */
  sendData(reply: FastifyReply, scene: GridScene): Promise<FastifyReply>;
  makePage(scene: GridScene): Promise<Page>;
};

/** Registers one of the two grids under the name of its section. */
export function registerGrid(app: FastifyInstance, sources: GridSources, view: GridView): void {
  const base = path`/${view.section}`;
  app.get(base.text, { config: { about: view.about, kept: true } }, async (request, reply) => {
    const query = readGridQuery(queryOf(request), sources.clock.now());
    if (query.format !== "page" && Object.keys(query.faults).length > 0) return sendFaults(reply, query.faults);
    const { scene, choice } = await openGrid(sources, base, query);
    if (!scene && query.format === "csv") return sendFaults(reply, { property: "Name a property by its code" });
    if (!scene && query.format === "json") return sendJson(reply, { properties: choice.properties.map(nameOf), more: choice.more });
    if (!scene) return sendPage(reply, pickPage(view, query, choice));
    if (query.format !== "page") return view.sendData(reply, scene);
    return sendPage(reply, await view.makePage(scene));
  });
}

function nameOf({ code, name }: { code: string; name: string }) {
  return { code, name };
}
