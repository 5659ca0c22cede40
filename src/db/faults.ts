/** What went wrong in a database, in words of neither engine. */

/** Another process holds the write lock of the SQLite file. */
export function isBusy(error: unknown): boolean {
  return errcode(error) === 5 || errcode(error) === 517;
}

/** A row with this key is there already. */
export function isDuplicate(error: unknown): boolean {
  return errcode(error) === 1555 || errcode(error) === 2067 || code(error) === "23505";
}

/** A row that this one points to is not there. */
export function isMissingReference(error: unknown): boolean {
  return errcode(error) === 787 || code(error) === "23503";
}

/** There is no such table yet. SQLite has no code of its own for it. */
export function isMissingTable(error: unknown): boolean {
  return code(error) === "42P01" || (errcode(error) === 1 && String(error).includes("no such table"));
}

/**
 * PostgreSQL prepared a statement before the schema changed, and the connection does not prepare it anew.
 * Known by the routine of the server, as the message is in the server's language.
 */
export function isStalePlan(error: unknown): boolean {
  return code(error) === "0A000" && error instanceof Error && "routine" in error && error.routine === "RevalidateCachedQuery";
}

/** Primary and extended result codes: https://www.sqlite.org/rescode.html */
function errcode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) : undefined;
}

/** SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
function code(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
