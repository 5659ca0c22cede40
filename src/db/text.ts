/**
 * A text that both engines can store and search: PostgreSQL takes no NUL, and SQLite ends a pattern there.
 * U+FFFD replaces it.
 */
export function storable<T>(value: T): T {
  return typeof value === "string" ? (value.replaceAll("\0", "\u{fffd}") as T) : value;
}
