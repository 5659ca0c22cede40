import type { diffArrays } from "diff/lib/diff/array.js";
import { type Match, matchUniqueLines } from "./unique-lines.ts";

/** Lines that stand in both documents, only in the earlier one, or only in the later one. */
export type Stretch = { of: "both" | "earlier" | "later"; lines: string[] };

/**
 * How two documents differ; all lines are in both when they are alike but for blanks. `whole`: to their ends, not only in the
 * beginning. `rough`: so much differs that a line may stand as removed here and as added there.
 */
export type Comparison = { stretches: Stretch[]; whole: boolean; rough: boolean };

/** Of a longer document only the beginning is compared. */
export const MOST_LINES = 100_000;
/** Searching takes as many steps as lines differ, times as many or as the shorter document has. Messages wait meanwhile: a million takes 50 to 100 ms. */
const MOST_STEPS = 2_000_000;
/** Milliseconds, for documents made to take long. */
const TIMEOUT = 1_000;

/**
 * Compares two documents, well-formed or not, as a person would who had laid them out: a tag a line, whatever the blanks between tags.
 * Lines that each document has once are matched first: else a year of prices that all rose would take too long.
 */
export async function compareDocuments(earlier: string, later: string): Promise<Comparison> {
  const known = new Map<string, string>();
  const [old, young] = [linesOf(earlier, known), linesOf(later, known)];
  // Loaded when somebody asks: nobody else waits for it at the start.
  const library = await import("diff/lib/diff/array.js");
  const search = new Search(library.diffArrays);
  const ends = { old: old.length, young: young.length };
  let from: Match = { old: 0, young: 0 };
  for (const to of [...matchUniqueLines(old, young), ends]) {
    search.add(old.slice(from.old, to.old), young.slice(from.young, to.young));
    from = to;
  }
  return { stretches: search.stretches, whole: Math.max(old.length, young.length) < MOST_LINES, rough: search.rough };
}

/** Between two tags, or at the end of a line. */
const CUT = /(?<=>)\s*(?=<)|[\r\n]\s*/g;

/** A line that is `known` already is the same text in memory: two of them are compared in no time. */
function linesOf(document: string, known: Map<string, string>): string[] {
  const lines: string[] = [];
  let from = 0;
  const add = (text: string) => {
    const line = text.trim();
    if (line !== "") lines.push(known.getOrInsert(line, line));
  };
  for (const { index, 0: blanks } of document.matchAll(CUT)) {
    add(document.slice(from, index));
    from = index + blanks.length;
    if (lines.length === MOST_LINES) return lines;
  }
  add(document.slice(from));
  return lines;
}

/** Compares part after part, as long as the steps last; after that only as wholes. */
class Search {
  readonly stretches: Stretch[] = [];
  rough = false;
  readonly #diff: typeof diffArrays;
  #steps = MOST_STEPS;

  constructor(diff: typeof diffArrays) {
    this.#diff = diff;
  }

  add(old: string[], young: string[]): void {
    const shorter = Math.min(old.length, young.length) + 1;
    const maxEditLength = Math.floor(Math.max(Math.sqrt(this.#steps), this.#steps / shorter));
    const changes = this.#diff(old, young, { timeout: TIMEOUT, maxEditLength });
    for (const { added, removed, value } of changes ?? []) this.#push({ of: originOf(added, removed), lines: value });
    if (!changes) return this.#addWholes(old, young);
    const differing = changes.reduce((sum, { added, removed, count }) => sum + (added || removed ? count : 0), 0);
    this.#steps -= differing * Math.min(differing, shorter);
  }

  #addWholes(old: string[], young: string[]): void {
    this.rough = true;
    this.#steps = 0;
    this.#push({ of: "earlier", lines: old });
    this.#push({ of: "later", lines: young });
  }

  #push(stretch: Stretch): void {
    const last = this.stretches.at(-1);
    if (last?.of === stretch.of) for (const line of stretch.lines) last.lines.push(line);
    else if (stretch.lines.length > 0) this.stretches.push(stretch);
  }
}

function originOf(added: boolean, removed: boolean): Stretch["of"] {
  if (added) return "later";
  return removed ? "earlier" : "both";
}
