/**
 * Asks at most once in each turn of the event loop and shares the answer, unless `written`, a count of this process's own writes, has
 * moved. No request misses anything: what another process wrote before it was sent was written before the turn in which it arrives.
 */
export function oncePerTurn<T>(ask: () => T, written: () => number): () => T {
  let known: { answer: T; at: number } | undefined;
  return () => {
    if (known?.at === written()) return known.answer;
    if (!known) setImmediate(() => (known = undefined));
    known = { answer: ask(), at: written() };
    return known.answer;
  };
}
