/** Where a line stands in each of two documents. */
export type Match = { old: number; young: number };

/** The most lines that each document has just once and that come in the same order in both (patience sorting, in N log N). */
export function matchUniqueLines(old: readonly string[], young: readonly string[]): Match[] {
  const places = placesOf(young);
  const matches = [...placesOf(old)].flatMap(([line, at]) => {
    const other = places.get(line) ?? REPEATED;
    return at === REPEATED || other === REPEATED ? [] : [{ old: at, young: other }];
  });
  return longestInOrder(matches);
}

const REPEATED = -1;

function placesOf(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [at, line] of lines.entries()) places.set(line, places.has(line) ? REPEATED : at);
  return places;
}

type Chain = { match: Match; before: Chain | undefined };

/** `chains[n]` ends the chain of n + 1 matches that ends soonest in the younger document. */
function longestInOrder(matches: readonly Match[]): Match[] {
  const chains: Chain[] = [];
  for (const match of matches) {
    const at = firstAfter(chains, match.young);
    chains[at] = { match, before: chains[at - 1] };
  }
  const found: Match[] = [];
  for (let chain = chains.at(-1); chain; chain = chain.before) found.push(chain.match);
  return found.toReversed();
}

function firstAfter(chains: readonly Chain[], young: number): number {
  let [low, high] = [0, chains.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (chains[middle]!.match.young < young) low = middle + 1;
    else high = middle;
  }
  return low;
}
