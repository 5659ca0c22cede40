import type { Dialect } from "./dialect.ts";
import { expedia } from "./expedia.ts";
import { google } from "./google.ts";

/** Root elements of messages outside OpenTravel. If a message has no reader, the dialect responds with "not supported". */
const DIALECTS_BY_ROOT: ReadonlyMap<string, Dialect> = new Map([
  ["AvailRateUpdateRQ", expedia],
  ["Transaction", google],
  ["Promotions", google],
  ["RateModifications", google],
  ["TaxFeeInfo", google],
  ["ExtraGuestCharges", google],
]);

export function dialectForRoot(root: string): Dialect | undefined {
  return DIALECTS_BY_ROOT.get(root);
}
