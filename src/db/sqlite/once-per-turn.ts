/**
 * Asks at most once in each turn of the event loop and shares the answer, until `written`, a count of this process's own writes,
 * moves. No request misses anything: what another process wrote before it was sent precedes the turn in which it arrives.
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
