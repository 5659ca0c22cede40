/** A message from this size on takes some milliseconds to read. */
const LARGE = 100_000;

let last: Promise<unknown> = Promise.resolve();

/** Lets large messages be read one in each turn of the event loop, so that those that come together do not hold it up. */
export function ownTurn(body: Uint8Array | undefined): Promise<unknown> | undefined {
  if (body === undefined || body.length < LARGE) return undefined;
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last;
}
