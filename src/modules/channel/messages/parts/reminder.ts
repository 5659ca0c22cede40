import type { CompleteSet } from "../../../../journal/work.ts";
import { findActivity } from "../../../property/store.ts";
import type { Dialect } from "../../dialects.ts";
import type { HotelRequest } from "../../message.ts";
import { completeSetWanted } from "../../ota-error.ts";

/** How long deltas count as complete. */
const TRUSTED_MS = 48 * 3_600_000;

type Delta = { dialect: Dialect; kind: CompleteSet; completeSet: boolean };

/** Asks the sender of an AlpineBits delta for a complete set of its kind when the hotel's last one is too old. */
export function withReminder(request: HotelRequest, { dialect, kind, completeSet }: Delta): HotelRequest {
  if (dialect.name !== "alpinebits" || completeSet) return request;
  let isOverdue = false;
  return {
    ...request,
    async load(database, property, now) {
      const activity = await findActivity(database, property);
      const last = kind === "counts" ? activity?.lastCompleteSetAt : activity?.lastRatePlanSetAt;
      isOverdue = now - (last ?? now) > TRUSTED_MS;
    },
    decide(context) {
      if (isOverdue) context.report.warn(completeSetWanted(kind));
      return request.decide(context);
    },
  };
}
