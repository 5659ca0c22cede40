import { finish, type Pieces } from "../pieces.ts";
import type { BatchDecision } from "./database.ts";

/** A decision when all of its pieces are done. */
export async function decided<T>(decision: BatchDecision<T> | Pieces<BatchDecision<T>>): Promise<BatchDecision<T>> {
  return "next" in decision ? finish(decision) : decision;
}
