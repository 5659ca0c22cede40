/**
 * A place in the change feed: the next position to read, and how many of its changes were already read. `at` is the time of the last change
 * that was read. It is used to detect cursors that were issued before a backup was restored.
 */
export type Cursor = { position: number; skip: number; at: number };

/** Formats a cursor. Consumers must not rely on the format. */
export function formatCursor({ position, skip, at }: Cursor): string {
  return Buffer.from([position, skip, at].map((number) => number.toString(36)).join(".")).toString("base64url");
}

const CURSOR_PATTERN = /^([1-9a-z][\da-z]{0,9})\.([\da-z]{1,8})\.([\da-z]{1,10})$/;

/** Parses a cursor. Returns undefined if it is malformed. */
export function parseCursor(text: string): Cursor | undefined {
  const parts = CURSOR_PATTERN.exec(Buffer.from(text, "base64url").toString("latin1"));
  if (!parts) return undefined;
  const [position = 0, skip = 0, at = 0] = parts.slice(1).map((part) => Number.parseInt(part, 36));
  const cursor = { position, skip, at };
  return formatCursor(cursor) === text ? cursor : undefined;
}

export function isBefore(a: Cursor, b: Cursor): boolean {
  return a.position === b.position ? a.skip < b.skip : a.position < b.position;
}
