import { categoryModule } from "./category/routes.ts";
import { channelModule } from "./channel/routes.ts";
import { devModule } from "./dev/routes.ts";
import { errorsModule } from "./errors/routes.ts";
import { homeModule } from "./home/routes.ts";
import { inventoriesModule } from "./inventories/routes.ts";
import type { Module } from "./module.ts";
import { propertyModule } from "./property/routes.ts";
import { ratesModule } from "./rates/routes.ts";
import { toolsModule } from "./tools/routes.ts";

/** Every module, one line each. */
export const modules: readonly Module[] = [
  homeModule,
  errorsModule,
  propertyModule,
  categoryModule,
  inventoriesModule,
  ratesModule,
  channelModule,
  devModule,
  toolsModule,
];
