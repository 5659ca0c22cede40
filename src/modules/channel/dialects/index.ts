import type { Incoming, Opened } from "../exchange.ts";
import type { Recognised } from "../transports/recognise.ts";
import { alpineBitsFamily } from "./alpinebits-form.ts";
import type { Dialect } from "./dialect.ts";
import type { DialectFamily, Opening } from "./family.ts";
import { openTravelFamily } from "./opentravel.ts";

/** In the order in which they are asked. OpenTravel takes everything that no other family does. */
const FAMILIES: readonly DialectFamily[] = [alpineBitsFamily];

/** The dialect that the headers promise, until the body is opened. */
export function promisedDialect(headers: Incoming["headers"]): Dialect {
  for (const family of FAMILIES) {
    const dialect = family.promisedBy(headers);
    if (dialect) return dialect;
  }
  return openTravelFamily.promisedBy(headers);
}

export function openInDialect(opening: Opening, body: Recognised): Opened {
  for (const family of FAMILIES) {
    const opened = family.open(opening, body);
    if (opened) return opened;
  }
  return openTravelFamily.open(opening, body);
}
