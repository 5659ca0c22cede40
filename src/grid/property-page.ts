import type { Database } from "../db/database.ts";
import { findPropertyHead } from "../journal/property-head.ts";
import type { TypedValues } from "../web/form.ts";
import type { PropertyPage, PropertyTab } from "../web/parts/property-header.ts";

/** Reads the header for a property's page. `nights` contains the dates and filters to keep when switching tabs. */
export async function readPropertyPage(
  database: Database,
  code: string,
  { tab, nights }: { tab: PropertyTab; nights: TypedValues },
): Promise<PropertyPage | undefined> {
  const head = await findPropertyHead(database, code);
  return head && { head, tab, nights };
}
