import type { FastifyInstance, FastifyReply } from "fastify";
import { pickPage } from "../../grid/grid-page.ts";
import { readGridQuery } from "../../grid/grid-query.ts";
import type { GridScene } from "../../grid/grid-scene.ts";
import { sendJson } from "../../web/export.ts";
import { type Page, sendPage } from "../../web/page.ts";
import { path } from "../../web/path.ts";
import type { Services } from "../module.ts";
import { openGrid } from "./scene.ts";

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
export function registerGrid(app: FastifyInstance, services: Services, view: GridView): void {
  const base = path`/${view.section}`;
  app.get(base.text, { config: { about: view.about, kept: true } }, async (request, reply) => {
    const query = readGridQuery(request.query, services.clock.now());
    if (query.format !== "page" && Object.keys(query.faults).length > 0) return sendJson(reply.code(422), { errors: query.faults });
    const { scene, choice } = await openGrid(services, base, query);
    if (!scene) return sendPage(reply, pickPage(view, choice));
    if (query.format !== "page") return view.sendData(reply, scene);
    return sendPage(reply, await view.makePage(scene));
  });
}
