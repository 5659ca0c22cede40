import type { FastifyInstance, FastifyReply } from "fastify";
import { sendJson } from "../web/export.ts";
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
    const query = readGridQuery(request.query, sources.clock.now());
    if (query.format !== "page" && Object.keys(query.faults).length > 0) return sendJson(reply.code(422), { errors: query.faults });
    const { scene, choice } = await openGrid(sources, base, query);
    if (!scene && query.format !== "page") return sendJson(reply.code(422), { errors: { property: "Name a property by its code" } });
    if (!scene) return sendPage(reply, pickPage(view, query, choice));
    if (query.format !== "page") return view.sendData(reply, scene);
    return sendPage(reply, await view.makePage(scene));
  });
}
