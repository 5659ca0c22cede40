import type { Database } from "../db/database.ts";
import { findPropertyHead } from "../journal/property-head.ts";
import type { Typed } from "../web/form.ts";
import type { PropertyPage, PropertyTab } from "../web/parts/property-header.ts";

/** Reads the header for a page of one property. `nights` are the dates and filters that its tabs pass on. */
export async function readPropertyPage(
  database: Database,
  code: string,
  { tab, nights }: { tab: PropertyTab; nights: Typed },
): Promise<PropertyPage | undefined> {
  const head = await findPropertyHead(database, code);
  return head && { head, tab, nights };
}
