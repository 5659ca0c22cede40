import type { FastifyReply, FastifyRequest } from "fastify";
import { addAnyRoute } from "../../web/any-route.ts";
import { sendJson } from "../../web/json.ts";
import { readQuery, wantsJson } from "../../web/negotiate.ts";
import { sendPage } from "../../web/page.ts";
import { isPropertyTab, keptNights } from "../../web/parts/property-header.ts";
import type { Module } from "../module.ts";
import { findEverything, type ResultGroup, type SearchDeps } from "./find.ts";
import { searchPage } from "./page.ts";

const MAX_QUERY_LENGTH = 200;

export const searchModule: Module<SearchDeps> = {
  name: "search",
  about: "Searches records, messages, connections and pages.",
  tables: ["search_text"],
  uses: [],
  register(app, sources) {
    const tokens = { read: "read", property: "handler" } as const;
    addAnyRoute(app, { url: "/tools/search", about: "searches everything", tokens }, (request, reply) =>
      sendResults(sources, request, reply),
    );
  },
};

async function sendResults(sources: SearchDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const typed = readQuery(request);
  const tab = isPropertyTab(typed.tab) ? typed.tab : undefined;
  const query = { q: (typed.q ?? "").trim().slice(0, MAX_QUERY_LENGTH), tab, nights: keptNights(typed) };
  const groups = await findEverything(sources, query, request.user);
  return wantsJson(request) ? sendJson(reply, groupsJson(groups, request.shell.prefix)) : sendPage(reply, searchPage(query, groups));
}

function groupsJson(groups: readonly ResultGroup[], prefix: string): object {
  return {
    groups: groups.map(({ title, results }) => ({
      title,
      results: results.map(({ label, detail, to }) => ({ label, detail, url: prefix + to.text })),
    })),
  };
}
