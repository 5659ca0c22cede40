import type { diffArrays } from "diff/lib/diff/array.js";

export type DifferenceBlock = { of: "both" | "earlier" | "later"; lines: string[] };

/**
 * The difference between two documents. `complete` is false if only their first lines were compared. `approximate` means that they differ
 * too much for an exact comparison, so a line may be listed as both removed and added.
 */
export type DocumentComparison = { blocks: DifferenceBlock[]; complete: boolean; approximate: boolean };

export const MAX_COMPARED_LINES = 100_000;
const MAX_SEARCH_STEPS = 2_000_000;
/** Limit after which the comparison is stopped, because input may be crafted to be slow. */
const SEARCH_TIMEOUT_MS = 1_000;

/**
 * Compares two documents line by line, with one tag per line and ignoring whitespace between tags. They need not be well-formed. Lines that
 * are unique in each document are matched first, because a general diff is too slow if every price of a year changes.
 */
export async function compareDocuments(earlier: string, later: string): Promise<DocumentComparison> {
  const sharedLines = new Map<string, string>();
  const [older, newer] = [splitLines(earlier, sharedLines), splitLines(later, sharedLines)];
  const library = await import("diff/lib/diff/array.js");
  const search = new DifferenceSearch(library.diffArrays);
  const ends = { older: older.length, newer: newer.length };
  let from: LineMatch = { older: 0, newer: 0 };
  for (const to of [...matchUniqueLines(older, newer), ends]) {
    search.add(older.slice(from.older, to.older), newer.slice(from.newer, to.newer));
    from = to;
  }
  const isComplete = Math.max(older.length, newer.length) < MAX_COMPARED_LINES;
  return { blocks: search.blocks, complete: isComplete, approximate: search.approximate };
}

const LINE_SEPARATOR = /(?<=>)\s*(?=<)|[\r\n]\s*/g;

/** Splits a document into lines. Equal lines share one string in `known`, which makes comparing them cheap. */
function splitLines(document: string, known: Map<string, string>): string[] {
  const lines: string[] = [];
  let from = 0;
  const add = (text: string) => {
    const line = text.trim();
    if (line !== "") lines.push(known.getOrInsert(line, line));
  };
  for (const { index, 0: separator } of document.matchAll(LINE_SEPARATOR)) {
    add(document.slice(from, index));
    from = index + separator.length;
    if (lines.length === MAX_COMPARED_LINES) return lines;
  }
  add(document.slice(from));
  return lines;
}

class DifferenceSearch {
  readonly blocks: DifferenceBlock[] = [];
  approximate = false;
  readonly #diff: typeof diffArrays;
  #steps = MAX_SEARCH_STEPS;

  constructor(diff: typeof diffArrays) {
    this.#diff = diff;
  }

  add(older: string[], newer: string[]): void {
    const shorter = Math.min(older.length, newer.length) + 1;
    const maxEditLength = Math.floor(Math.max(Math.sqrt(this.#steps), this.#steps / shorter));
    const changes = this.#diff(older, newer, { timeout: SEARCH_TIMEOUT_MS, maxEditLength });
    for (const { added, removed, value } of changes ?? []) this.#push({ of: blockOrigin(added, removed), lines: value });
    if (!changes) return this.#replace(older, newer);
    const differingLines = changes.reduce((sum, { added, removed, count }) => sum + (added || removed ? count : 0), 0);
    this.#steps -= differingLines * Math.min(differingLines, shorter);
  }

  #replace(older: string[], newer: string[]): void {
    this.approximate = true;
    this.#steps = 0;
    this.#push({ of: "earlier", lines: older });
    this.#push({ of: "later", lines: newer });
  }

  #push(block: DifferenceBlock): void {
    const last = this.blocks.at(-1);
    if (last?.of === block.of) for (const line of block.lines) last.lines.push(line);
    else if (block.lines.length > 0) this.blocks.push(block);
  }
}

function blockOrigin(added: boolean, removed: boolean): DifferenceBlock["of"] {
  if (added) return "later";
  return removed ? "earlier" : "both";
}

type LineMatch = { older: number; newer: number };

/** Matches as many lines as possible that occur once in each document, in the same order (patience diff). */
function matchUniqueLines(older: readonly string[], newer: readonly string[]): LineMatch[] {
  const positions = indexLines(newer);
  const matches = [...indexLines(older)].flatMap(([line, at]) => {
    const otherPosition = positions.get(line) ?? REPEATED_LINE;
    return at === REPEATED_LINE || otherPosition === REPEATED_LINE ? [] : [{ older: at, newer: otherPosition }];
  });
  return longestIncreasingSubsequence(matches);
}

const REPEATED_LINE = -1;

function indexLines(lines: readonly string[]): Map<string, number> {
  const positions = new Map<string, number>();
  for (const [at, line] of lines.entries()) positions.set(line, positions.has(line) ? REPEATED_LINE : at);
  return positions;
}

type MatchChain = { match: LineMatch; previous: MatchChain | undefined };

/** `chains[n]` is the chain of n + 1 matches that ends earliest in the newer document. */
function longestIncreasingSubsequence(matches: readonly LineMatch[]): LineMatch[] {
  const chains: MatchChain[] = [];
  for (const match of matches) {
    const at = firstEndingAfter(chains, match.newer);
    chains[at] = { match, previous: chains[at - 1] };
  }
  const longestChain: LineMatch[] = [];
  for (let chain = chains.at(-1); chain; chain = chain.previous) longestChain.push(chain.match);
  return longestChain.toReversed();
}

function firstEndingAfter(chains: readonly MatchChain[], line: number): number {
  let [low, high] = [0, chains.length];
  while (low < high) {
    const middleIndex = (low + high) >> 1;
    if (chains[middleIndex]!.match.newer < line) low = middleIndex + 1;
    else high = middleIndex;
  }
  return low;
}
