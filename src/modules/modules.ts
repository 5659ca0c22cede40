import { inventoriesModule } from "./inventories/routes.ts";
import type { Module } from "./module.ts";
import { ratesModule } from "./rates/routes.ts";

/** Every module, one line each. */
export const modules: readonly Module[] = [inventoriesModule, ratesModule];
