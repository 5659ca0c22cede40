import type { PropertyRow } from "../../../../db/schema.ts";

/** The preferred languages of texts, best first: the property's own, then English. */
export function languagesOf({ languages }: Pick<PropertyRow, "languages">): string[] {
  return [...(languages?.split(/[\s,]+/) ?? []), "en"];
}
