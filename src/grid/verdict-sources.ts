import { type Attribute, type AttributeValue, isAmount, type PageKind } from "../calendar/attributes.ts";
import type { VerdictReason, Verdict } from "../calendar/verdict.ts";
import type { NightEvent } from "../journal/history.ts";
import type { NightRow } from "./query.ts";

/** A change to a lane that affects the night. */
export type LaneEvent = NightEvent & { kind: PageKind; lane: string };

type ReasonCause = { kind: PageKind; column: Attribute | "amount"; to: AttributeValue | undefined };

/**
 * For each reason, finds the message that changed the value to its current value, which may be earlier than the last message that set it.
 * Keeps the last message if the change is not in the log. `events` are newest first.
 */
export function withSources({ state, reasons }: Verdict, events: readonly LaneEvent[], row: NightRow): Verdict {
  return { state, reasons: reasons.map((reason) => ({ ...reason, message: findSource(reason, events, row) ?? reason.message })) };
}

function findSource(reason: VerdictReason, events: readonly LaneEvent[], row: NightRow): number | undefined {
  const cause = findCause(reason);
  if (cause === undefined) return undefined;
  const lane = causeLane(reason, row);
  return events.find((event) => event.lane === lane && event.kind === cause.kind && hasCause(event, cause))?.message;
}

function findCause({ state, of }: VerdictReason): ReasonCause | undefined {
  if (state === "hotel closed") return { kind: "inventory", column: "closed", to: 1 };
  if (state === "stop sell") return { kind: "rate", column: "stopSell", to: 1 };
  if (state === "sold out") return of === "plan" ? ALLOTMENT_CAUSE : { kind: "inventory", column: "available", to: 0 };
  if (state === "no count") return { kind: "inventory", column: "available", to: undefined };
  return state === "no price" ? { kind: "rate", column: "amount", to: undefined } : undefined;
}

const ALLOTMENT_CAUSE: ReasonCause = { kind: "rate", column: "allotment", to: 0 };

/**
 * Returns the lane whose value caused the reason. If the hotel is closed, every lane is. A room's lane is used only for a reason that is
 * about the room.
 */
function causeLane({ state, of }: VerdictReason, { plan, room }: NightRow): string {
  if (of === "plan") return plan;
  return of === "room" || state === "hotel closed" ? room : "";
}

function hasCause({ changes }: NightEvent, { column, to }: ReasonCause): boolean {
  return changes.some((change) => change.to === to && (column === "amount" ? isAmount(change.column) : change.column === column));
}
