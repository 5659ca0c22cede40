import type { FastifyInstance } from "fastify";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { ErrorLog } from "../errors/recorder.ts";
import type { Caches } from "../web/caches.ts";
import type { RouteRegistry } from "../web/route-registry.ts";
import type { Traffic } from "./channel/traffic.ts";

/** What the modules are built from, made once in `app.ts`. A module takes what it needs and nothing else. */
export type Services = {
  config: Config;
  clock: Clock;
  database: Database;
  caches: Caches;
  traffic: Traffic;
  errors: ErrorLog;
  routes: RouteRegistry;
  modules: readonly Module[];
  /** Milliseconds that each module took to register, by its name. */
  loadTimes: ReadonlyMap<string, number>;
  /** Milliseconds since 1970, for the uptime. */
  startedAt: number;
};

/** One folder of `src/modules/`: the first segment of the URLs that it answers is its name. */
export type Module = {
  name: string;
  /** One sentence for `/tools/modules`. */
  about: string;
  /** The tables that it owns. */
  tables: readonly string[];
  /** Names of the modules whose nouns and stores it uses. */
  uses: readonly string[];
  /** What is done for it beside the traffic, and how often; nothing when absent. */
  jobs?: readonly string[];
  register(app: FastifyInstance, services: Services): void | Promise<void>;
};
