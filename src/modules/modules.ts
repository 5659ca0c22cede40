import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { ErrorLog } from "../errors/recorder.ts";
import type { CacheRegistry } from "../web/caches.ts";
import type { RouteRegistry } from "../web/route-registry.ts";
import { alertsModule } from "./alerts/routes.ts";
import { auditModule } from "./audit/routes.ts";
import { categoryModule } from "./category/routes.ts";
import { changesModule } from "./changes/routes.ts";
import type { HandleMessage } from "./channel/handler.ts";
import { channelModule } from "./channel/routes.ts";
import type { ChannelTraffic } from "./channel/traffic.ts";
import { devModule } from "./dev/routes.ts";
import { errorsModule } from "./errors/routes.ts";
import { homeModule } from "./home/routes.ts";
import { importModule } from "./import/routes.ts";
import { inventoriesModule } from "./inventories/routes.ts";
import type { Module, ModuleDescription } from "./module.ts";
import { plansModule } from "./plans/routes.ts";
import { propertyModule } from "./property/routes.ts";
import { ratesModule } from "./rates/routes.ts";
import { searchModule } from "./search/routes.ts";
import { tokensModule } from "./tokens/routes.ts";
import { toolsModule } from "./tools/routes.ts";
import { viewsModule } from "./views/routes.ts";

/** Everything that `app.ts` passes to modules. Each module's type limits which parts it can use. */
export type ModuleDeps = {
  config: Config;
  clock: Clock;
  database: Database;
  caches: CacheRegistry;
  errors: ErrorLog;
  /** Shared by the channel's route and `handle`. */
  traffic: ChannelTraffic;
  handle: HandleMessage;
  routes: RouteRegistry;
  modules: readonly ModuleDescription[];
  /** The time that each module took to register, in milliseconds, by module name. */
  loadTimes: ReadonlyMap<string, number>;
  /** In milliseconds since 1970. */
  startedAt: number;
  /** Returns the address of the last proxy that is not in `TRUST_PROXY`. */
  untrustedProxy(): string | undefined;
};

export const modules: readonly Module<ModuleDeps>[] = [
  homeModule,
  errorsModule,
  propertyModule,
  categoryModule,
  inventoriesModule,
  ratesModule,
  changesModule,
  channelModule,
  devModule,
  tokensModule,
  alertsModule,
  auditModule,
  importModule,
  searchModule,
  viewsModule,
  plansModule,
  toolsModule,
];
