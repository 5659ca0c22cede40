import type { FastifyInstance, FastifyReply } from "fastify";
import { sendFaults, sendJson } from "../web/json.ts";
import { queryOf } from "../web/negotiate.ts";
import { type Page, sendPage } from "../web/page.ts";
import { path } from "../web/path.ts";
import { type GridSources, openGrid, type PropertyChoice } from "./open.ts";
import type { Outlook } from "./outlook.ts";
import { overviewPage, type OverviewParts } from "./overview-page.ts";
import { readOverview } from "./overview.ts";
import { readGridQuery } from "./query.ts";
import type { GridScene } from "./scene.ts";

/** What `/inventories` and `/rates` differ in. */
export type GridView = OverviewParts & {
  about: string;
  /** What the nights of a property come to. */
  outlook(scene: GridScene): Promise<Outlook>;
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
    if (!scene && query.format === "json") return sendJson(reply, choiceJson(choice));
    if (!scene) {
      const lines = await readOverview(sources, base, { query, lines: choice.lines, outlook: view.outlook });
      return sendPage(reply, overviewPage(view, query, { ...choice, lines }));
    }
    if (query.format !== "page") return view.sendData(reply, scene);
    return sendPage(reply, await view.makePage(scene));
  });
}

function choiceJson({ list: { page, size }, lines, count }: PropertyChoice) {
  return { ...count, page, size, properties: lines.map(({ code, name }) => ({ code, name })) };
}
