import { finish, type Pieces } from "../pieces.ts";
import type { BatchDecision } from "./database.ts";

/** A decision when all of its pieces are done, in one turn once `isUrgent`. */
export async function decided<T>(
  decision: BatchDecision<T> | Pieces<BatchDecision<T>>,
  isUrgent: () => boolean,
): Promise<BatchDecision<T>> {
  return "next" in decision ? finish(decision, isUrgent) : decision;
}
