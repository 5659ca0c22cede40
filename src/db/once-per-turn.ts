/**
 * Asks once in a turn of the event loop for everyone who asks in it, and again when `written` answers another number meanwhile.
 * What others wrote before a request was sent, they wrote before the turn in which it arrives.
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
