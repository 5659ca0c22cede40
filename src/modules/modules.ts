import { inventoriesModule } from "./inventories/routes.ts";
import type { Module } from "./module.ts";
import { propertyModule } from "./property/routes.ts";
import { ratesModule } from "./rates/routes.ts";

/** Every module, one line each. */
export const modules: readonly Module[] = [propertyModule, inventoriesModule, ratesModule];
