import type { ImportKind } from "../../records/import/kinds.ts";
import { type OutcomeCounts, type Import, type ImportLine, type LineOutcome, OUTCOMES } from "../../records/import/store.ts";

export type OutcomeFilter = LineOutcome | "all";

/** `progress` is the number of rows that the current step has processed; undefined if this process isn't running a step. */
export type ImportView = {
  file: Import;
  kind: ImportKind;
  counts: OutcomeCounts;
  lines: readonly ImportLine[];
  show: OutcomeFilter;
  page: number;
  size: number;
  progress: number | undefined;
  token: string;
};

export function countShown({ counts, show }: Pick<ImportView, "counts" | "show">): number {
  return selectedOutcomes(show).reduce((sum, outcome) => sum + counts[outcome], 0);
}

export function selectedOutcomes(show: OutcomeFilter) {
  return show === "all" ? OUTCOMES : OUTCOMES.filter((outcome) => outcome === show);
}
