import { type Node, parsePattern } from "./pattern.ts";

export type Hostile = { start: string; period: string; end: string };

const ENDS = ["", "\u0001"];
const MAX_FRAGMENTS = 12;
const MAX_STARTS = 12;
const MAX_WORDS = 5;
const TIMES = [1, 3, 10];

export function makeText({ start, period, end }: Hostile, length: number): string {
  const times = Math.max(1, Math.floor((length - start.length - end.length) / period.length));
  return start + period.repeat(times) + end;
}

/**
 * Builds inputs from a pattern's repeats and words: individually, in pairs and repeated in sequence, each with and without a prefix that
 * leads to a repeat.
 */
export function hostileTexts(pattern: RegExp): Hostile[] {
  const tree = parsePattern(pattern);
  const fragments = [...new Set(fragmentsOf(tree))].filter((fragment) => fragment !== "").slice(0, MAX_FRAGMENTS);
  return withEnds([...periodsOf(fragments).map((period) => ({ start: "", period })), ...startedTexts(tree, fragments)]);
}

export function hostileWords(words: readonly string[]): Hostile[] {
  return withEnds(periodsOf(words).map((period) => ({ start: "", period })));
}

function withEnds(texts: readonly Omit<Hostile, "end">[]): Hostile[] {
  return texts.flatMap((text) => ENDS.map((end) => ({ ...text, end })));
}

function periodsOf(fragments: readonly string[]): string[] {
  const pairs = fragments.flatMap((first) => fragments.map((second) => first + second));
  const words = fragments.filter(({ length }) => length > 1).slice(0, MAX_WORDS);
  return [...new Set([...fragments, ...pairs, ...repeatedInOrder(words)])];
}

/** Repeats up to three words in order, because a pattern that skips between them may try every combination. */
function repeatedInOrder(words: readonly string[], depth = 3): string[] {
  if (depth === 0) return [];
  return words.flatMap((word, at) => {
    const rest = repeatedInOrder(words.slice(at + 1), depth - 1);
    return TIMES.flatMap((times) => [word.repeat(times), ...rest.map((text) => word.repeat(times) + text)]);
  });
}

function startedTexts(tree: Node, fragments: readonly string[]): Omit<Hostile, "end">[] {
  const starts = [...new Set(startsOf(tree))].filter((start) => start !== "").slice(0, MAX_STARTS);
  return starts.flatMap((start) => fragments.map((period) => ({ start, period })));
}

function fragmentsOf(node: Node): string[] {
  return [...wordsOf(node), ...charactersOf(node)];
}

function wordsOf(node: Node): string[] {
  if (node.kind === "characters") return [];
  if (node.kind === "choice") return node.options.flatMap((option) => [sampleOf(option), ...wordsOf(option)]);
  if (node.kind === "sequence") return [...literalsIn(node.items), ...node.items.flatMap(wordsOf)];
  return [sampleOf(node.body), ...wordsOf(node.body)];
}

function literalsIn(items: readonly Node[]): string[] {
  const text = items.map((item) => (item.kind === "characters" && item.samples.length === 1 ? item.samples[0]! : "\0")).join("");
  return text.split("\0");
}

function charactersOf(node: Node): string[] {
  if (node.kind === "characters") return [...node.samples];
  if (node.kind === "sequence") return node.items.flatMap(charactersOf);
  return node.kind === "choice" ? node.options.flatMap(charactersOf) : charactersOf(node.body);
}

/** Returns a matching prefix for each repeat. */
function startsOf(node: Node): string[] {
  if (node.kind === "choice") return node.options.flatMap(startsOf);
  if (node.kind === "repeat") return ["", ...startsOf(node.body)];
  if (node.kind !== "sequence") return [];
  return node.items.flatMap((item, at) => {
    const before = node.items.slice(0, at).map(sampleOf).join("");
    return startsOf(item).map((start) => before + start);
  });
}

function sampleOf(node: Node): string {
  if (node.kind === "characters") return node.samples[0]!;
  if (node.kind === "sequence") return node.items.map(sampleOf).join("");
  if (node.kind === "choice") return sampleOf(node.options[0]!);
  return node.kind === "repeat" ? sampleOf(node.body).repeat(Math.max(1, node.min)) : "";
}
