import type { Dialect } from "./dialects/dialect.ts";

export { ALPINEBITS_VERSIONS, type AlpineBitsVersion } from "./dialects/alpinebits.ts";
export type { Dialect } from "./dialects/dialect.ts";

/** Whether every rule of AlpineBits holds. */
export function isStrict(dialect: Dialect): boolean {
  return dialect.name === "alpinebits" && dialect.strict;
}
