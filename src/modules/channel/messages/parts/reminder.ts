import { findActivity } from "../../../property/store.ts";
import type { Dialect } from "../../dialects.ts";
import type { HotelRequest } from "../../message.ts";
import { completeSetWanted } from "../../ota-error.ts";

/** How long deltas are trusted to have told everything. */
const TRUSTED_MS = 48 * 3_600_000;

/** Asks the sender of an AlpineBits delta for a complete set when the last one of the hotel is too long ago. */
export function withReminder(request: HotelRequest, { dialect, completeSet }: { dialect: Dialect; completeSet: boolean }): HotelRequest {
  if (dialect.name !== "alpinebits" || completeSet) return request;
  let isOverdue = false;
  return {
    ...request,
    async load(database, property, now) {
      const activity = await findActivity(database, property);
      isOverdue = now - (activity?.lastCompleteSetAt ?? now) > TRUSTED_MS;
    },
    decide(scene) {
      if (isOverdue) scene.report.warn(completeSetWanted());
      return request.decide(scene);
    },
  };
}
