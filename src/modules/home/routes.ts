import type { FastifyRequest } from "fastify";
import { DAY_MS } from "../../calendar/night.ts";
import type { Config } from "../../config.ts";
import { countDaysBehind } from "../../db/pruning-time.ts";
import { listNewest } from "../../journal/messages.ts";
import { countTotals } from "../../records/counts.ts";
import { addAnyRoute } from "../../web/any-route.ts";
import { sendJson } from "../../web/json.ts";
import { wantsJson } from "../../web/negotiate.ts";
import { sendPage } from "../../web/page.ts";
import { listOpenAlerts } from "../alerts/alert-store.ts";
import { endpointUrl, needsNoCredentials } from "../channel/endpoint.ts";
import { type Module } from "../module.ts";
import { readConnections } from "./connections.ts";
import { homeJson } from "./json.ts";
import { type HomeView, homePage } from "./pages.ts";
import { createSilenceFinder, type SilenceDeps } from "./silence.ts";
import { findLastDay, findProgress } from "./store.ts";

const MAX_SHOWN_MESSAGES = 5;

type HomeDeps = SilenceDeps & { config: Config };

/** Small, because anyone can post the sign-in form. */
const MAX_BODY_BYTES = 16 * 1024;

export const homeModule: Module<HomeDeps> = {
  name: "home",
  about: "The overview: problems, connections, freshness, recent messages and the steps for getting started.",
  tables: [],
  uses: ["alerts", "channel", "dev"],
  register(app, services) {
    const sources = { ...services, silenceAmong: createSilenceFinder(services) };
    addAnyRoute(
      app,
      { url: "/", about: "home page", tokens: { read: "read" }, signsIn: true, bodyLimit: MAX_BODY_BYTES },
      async (request, reply) => {
        const home = await readHome(sources, request);
        return wantsJson(request) ? sendJson(reply, homeJson(home)) : sendPage(reply, homePage(home));
      },
    );
  },
};

type HomeSources = HomeDeps & { silenceAmong: ReturnType<typeof createSilenceFinder> };

async function readHome({ database, clock, config, silenceAmong }: HomeSources, request: FastifyRequest): Promise<HomeView> {
  const now = clock.now();
  const totals = await countTotals(database, now - DAY_MS, now);
  const [lastDay, messages, progress, activity, connections, open, pruningBehindDays, alerts] = await Promise.all([
    findLastDay(database, now),
    listNewest(database, MAX_SHOWN_MESSAGES),
    findProgress(database),
    silenceAmong(totals.properties),
    readConnections(database, now),
    needsNoCredentials({ database }, request),
    countDaysBehind(database, now),
    listOpenAlerts(database),
  ]);
  const channel = { endpoint: endpointUrl({ config }, request), open };
  return { now, ...totals, ...lastDay, messages, progress, ...activity, ...connections, channel, pruningBehindDays, alerts };
}
