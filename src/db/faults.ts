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

/** A statement that was prepared is not there, or is there already: it was sent on another connection than the one it was prepared on. */
export function isStrayPlan(error: unknown): boolean {
  return code(error) === "26000" || code(error) === "42P05";
}

/** Primary and extended result codes: https://www.sqlite.org/rescode.html */
function errcode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) : undefined;
}

/** The database cannot be reached just now, or was lost on the way. Nothing says whether what was under way is stored. */
export function isUnavailable(error: unknown): boolean {
  return UNREACHED.has(code(error) ?? "") || isCutByPooler(error) || (error instanceof Error && LOST.test(error.message)) || isBusy(error);
}

/** PgBouncer says with this one code, and that it is fatal, whatever keeps it from the server. */
function isCutByPooler(error: unknown): boolean {
  return code(error) === "08P01" && error instanceof Error && "severity" in error && error.severity === "FATAL";
}

/** Of the system, and of a server that ends, starts, has no room for one more, is a standby, or met a process that had stood still. */
const UNREACHED = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN"],
  ...["57P01", "57P02", "57P03", "53300", "08003", "08006", "25006", "25P03"],
]);

/** What the client of PostgreSQL says, without a code, of a connection that was not made, is not free, or is no more. */
const LOST = /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
function code(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
