import { type Column, type Operation, otherSideOf } from "../../../../calendar/operation.ts";
import type { Amounts } from "./amounts.ts";
import type { Target } from "./sheet.ts";

/**
 * What guests pay is told before tax, after it, or both. A delta that tells one side anew takes the other away, as that belongs to the old
 * amount, unless another of its lines tells it.
 */
export class OtherSides {
  /** To apply before the message: the sides that lines of it tell on other nights. */
  readonly first: Operation[] = [];
  readonly #told = new Map<string, Set<Column>>();

  /** What a line of a delta clears beside the `amounts` that it sets; `name` is that of its target. */
  clearedBy(amounts: Amounts, { name, category, lane, range }: Target & { name: string }): readonly (readonly [Column, undefined])[] {
    const told = this.#told.getOrInsertComputed(name, () => new Set());
    const cleared: (readonly [Column, undefined])[] = [];
    const earlier: (readonly [Column, undefined])[] = [];
    for (const column of amounts.keys()) {
      const other = otherSideOf(column);
      if (!other) continue;
      told.add(column);
      if (!amounts.has(other)) (told.has(other) ? earlier : cleared).push([other, undefined]);
    }
    if (earlier.length > 0)
      this.first.push({
        type: "assign",
        kind: "rate",
        category,
        lane,
        ...range,
        group: "amounts",
        replace: false,
        values: new Map(earlier),
      });
    return cleared;
  }
}
