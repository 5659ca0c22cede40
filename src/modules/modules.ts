import type { Module } from "./module.ts";

/** Every module, one line each. */
export const modules: readonly Module[] = [];
