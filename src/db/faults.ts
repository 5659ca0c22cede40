/** Database faults, named independently of the engine. */

/** Another process holds the write lock of the SQLite file, or recovers it; further bits of the code say which. */
export function isBusy(error: unknown): boolean {
  return primary(error) === 5;
}

/** A row with this key exists already. */
export function isDuplicate(error: unknown): boolean {
  return errcode(error) === 1555 || errcode(error) === 2067 || code(error) === "23505";
}

/** The row that this one points to is missing. */
export function isMissingReference(error: unknown): boolean {
  return errcode(error) === 787 || code(error) === "23503";
}

/** A value is of the wrong type, breaks a constraint or is too large: whatever becomes of the database, it will not be taken. */
export function isRefusedValue(error: unknown): boolean {
  return REFUSED_CODES.has(primary(error)) || REFUSED_STATES.test(code(error) ?? "");
}

/** TOOBIG, CONSTRAINT and MISMATCH. */
const REFUSED_CODES = new Set([18, 19, 20]);
/** The classes of data exceptions, violated constraints and exceeded limits. */
const REFUSED_STATES = /^(?:22|23|54)[0-9A-Z]{3}$/;

/** The table does not exist yet. SQLite has no code for it. */
export function isMissingTable(error: unknown): boolean {
  return code(error) === "42P01" || (errcode(error) === 1 && String(error).includes("no such table"));
}

/**
 * PostgreSQL prepared a statement before the schema changed, and the connection does not prepare it again.
 * The server's routine tells it, as the message is in the server's language.
 */
export function isStalePlan(error: unknown): boolean {
  return code(error) === "0A000" && error instanceof Error && "routine" in error && error.routine === "RevalidateCachedQuery";
}

/** A standby, or a session that the server's settings made read-only, was to write. */
export function isReadOnly(error: unknown): boolean {
  return code(error) === "25006";
}

/** PostgreSQL: a lock was not free in time, or who held it waited for one of ours, so that the server gave ours up. */
export function isLocked(error: unknown): boolean {
  return code(error) === "55P03" || code(error) === "40P01";
}

/** A prepared statement is missing, or already there: it was sent on another connection than it was prepared on. */
export function isStrayPlan(error: unknown): boolean {
  return code(error) === "26000" || code(error) === "42P05";
}

/** The primary result code, without the bits that say more: https://www.sqlite.org/rescode.html */
function primary(error: unknown): number {
  return (errcode(error) ?? 0) & 0xff;
}

function errcode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) : undefined;
}

/** What to tell of a fault that may be gone in a while; `undefined` of any other. */
export function tellOutage(error: unknown): string | undefined {
  if (isFull(error)) return "The store is full, so that nothing was stored. Try again when there is room on its disk.";
  return isUnavailable(error) ? "The database does not answer just now. Try again in a moment." : undefined;
}

/** The disk of the database has no room left. */
function isFull(error: unknown): boolean {
  return primary(error) === FULL || code(error) === "53100";
}

const FULL = 13;
const NO_RIGHTS = "this user must be able to write it, and its folder";
/** What may be the matter with the file of SQLite: BUSY, READONLY, IOERR (also without room for the files beside it), FULL and CANTOPEN. */
const FILE_FAULTS = new Map([
  [5, "a restore or another program has it"],
  [8, NO_RIGHTS],
  [10, "its disk may be full"],
  [FULL, "its disk is full"],
  [14, NO_RIGHTS],
]);

/** What may be the matter with the file of SQLite that cannot be opened; `undefined` where its error says all. */
export function tellFileFault(error: unknown): string | undefined {
  return FILE_FAULTS.get(primary(error));
}

/** The database cannot be reached or written, or was lost on the way. Whether work under way was stored is unknown. */
export function isUnavailable(error: unknown): boolean {
  if (UNREACHED.has(code(error) ?? "") || FILE_FAULTS.has(primary(error)) || isReadOnly(error) || isLocked(error)) return true;
  return isCutByPooler(error) || hasNoSocket(error) || (error instanceof Error && LOST.test(error.message));
}

/** A server that ends takes its socket away. */
function hasNoSocket(error: unknown): boolean {
  return code(error) === "ENOENT" && error instanceof Error && "syscall" in error && error.syscall === "connect";
}

/** PgBouncer sends this one fatal code, whatever keeps it from the server. */
function isCutByPooler(error: unknown): boolean {
  return code(error) === "08P01" && error instanceof Error && "severity" in error && error.severity === "FATAL";
}

/**
 * Codes of the system, and of a server that lets the service in no more, ends, starts, has no room for a connection, a lock or data, fails to
 * read or write, gives a statement, a transaction or an idle session no more time, or is closed for a while.
 */
const UNREACHED = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "EHOSTDOWN", "ENETUNREACH", "ENETDOWN"],
  ...["ECONNABORTED", "ENOTFOUND", "EAI_AGAIN", "CERT_HAS_EXPIRED"],
  ...["28000", "28P01", "3D000"],
  ...["55000", "57014", "57P01", "57P02", "57P03", "53100", "53200", "53300", "58030", "08003", "08006"],
  ...["25P03", "25P04", "57P05"],
]);

/** What the PostgreSQL client says, without a code, when a connection was not made, is not free, or is gone, also as the service ends. */
const LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end)/;

/** SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
function code(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
