import type { GridScene } from "./scene.ts";

/** A grid as one JSON value: what both views say of it, and the categories as each of them writes them. */
export function gridJson({ property, days, query }: GridScene, categories: readonly object[]): object {
  return {
    property: property.code,
    from: days[0]!.iso,
    days: days.length,
    asOf: query.asOf === undefined ? undefined : new Date(query.asOf).toISOString(),
    categories,
  };
}
