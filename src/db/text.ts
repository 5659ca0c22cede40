/**
 * A value as both engines can hold and look for it: PostgreSQL takes no NUL in a text, and for SQLite a pattern ends there.
 * U+FFFD stands for it.
 */
export function storable<T>(value: T): T {
  return typeof value === "string" ? (value.replaceAll("\0", "\u{fffd}") as T) : value;
}
