import type { Batch, BatchDecision, Row } from "../../src/db/database.ts";
import type { Pieces } from "../../src/pieces.ts";

/** Decides a batch, in as many pieces as it has itself. */
export function* decisionOf<T>({ decide }: Batch<T>, rows: readonly Row[][], id: number): Pieces<BatchDecision<T>> {
  const made = decide(rows, id);
  return "next" in made ? yield* made : made;
}
