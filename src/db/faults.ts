/** Classifies database errors by SQLite result code or SQLSTATE. */

import type { Statement } from "./database.ts";

/** Thrown if a statement didn't change the rows that it must change. Nothing was stored. */
export class ChangesError extends Error {
  override readonly name = "ChangesError";
}

export function checkChanges({ changes }: Statement, changed: number | bigint | null): void {
  if (changes !== undefined && Number(changed) !== changes) throw new ChangesError(`${changed} rows changed instead of ${changes}`);
}

export function isBusy(error: unknown): boolean {
  return primaryCode(error) === 5;
}

export function isDuplicate(error: unknown): boolean {
  return sqliteErrorCode(error) === 1555 || sqliteErrorCode(error) === 2067 || errorCode(error) === "23505";
}

export function isMissingReference(error: unknown): boolean {
  return sqliteErrorCode(error) === 787 || errorCode(error) === "23503";
}

/** Returns whether a value has the wrong type, violates a constraint or is too large, so that a retry would fail again. */
export function isRefusedValue(error: unknown): boolean {
  return REFUSED_VALUE_CODES.has(primaryCode(error)) || REFUSED_VALUE_STATES.test(errorCode(error) ?? "");
}

const REFUSED_VALUE_CODES = new Set([18, 19, 20]);
const REFUSED_VALUE_STATES = /^(?:22|23|54)[0-9A-Z]{3}$/;

export function isMissingTable(error: unknown): boolean {
  return errorCode(error) === "42P01" || (sqliteErrorCode(error) === 1 && String(error).includes("no such table"));
}

/** Returns whether the schema has changed since PostgreSQL prepared the statement. Checks the routine, because messages are localized. */
export function isStaleStatement(error: unknown): boolean {
  return errorCode(error) === "0A000" && error instanceof Error && "routine" in error && error.routine === "RevalidateCachedQuery";
}

export function isReadOnly(error: unknown): boolean {
  return errorCode(error) === "25006";
}

/** Returns whether PostgreSQL reported a lock timeout, or a conflict with another transaction. */
export function isLocked(error: unknown): boolean {
  return errorCode(error) === "55P03" || isConflict(error);
}

/**
 * Returns whether PostgreSQL ended a transaction because of a deadlock or a serialization failure. The same transaction can succeed if it
 * is retried.
 */
export function isConflict(error: unknown): boolean {
  return errorCode(error) === "40P01" || errorCode(error) === "40001";
}

/** Returns whether the server or a pooler has no connections left. PgBouncer's own limit has no error code. */
export function isOutOfConnections(error: unknown): boolean {
  return errorCode(error) === "53300" || (errorCode(error) === "08P01" && errorMessage(error).startsWith("no more connections allowed"));
}

/** Returns whether a server or pooler accepted the login, but had no connection for the first query. */
export function isBusyServer(error: unknown): boolean {
  return isOutOfConnections(error) || /^(?:query_wait_timeout|The database server sent nothing)/.test(errorMessage(error));
}

/** Returns whether the local pool, not the server, failed to provide a connection. */
export function isPoolFault(error: unknown): boolean {
  return /^(?:timeout exceeded when trying to connect|Cannot use a pool after calling end)/.test(errorMessage(error));
}

/** Returns whether a prepared statement is missing or already exists, because a pooler used a different connection. */
export function isMisplacedStatement(error: unknown): boolean {
  return errorCode(error) === "26000" || errorCode(error) === "42P05";
}

function primaryCode(error: unknown): number {
  return (sqliteErrorCode(error) ?? 0) & 0xff;
}

function sqliteErrorCode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) : undefined;
}

/** Returns undefined if the error is not a temporary database problem. */
export function describeOutage(error: unknown): { message: string; retryAfterSeconds: number } | undefined {
  if (isDiskFull(error))
    return { message: "The database is full; nothing was stored. Free some disk space, then try again.", retryAfterSeconds: 30 };
  if (!isUnavailable(error)) return undefined;
  return { message: READ_ONLY_TEXT, retryAfterSeconds: 5 };
}

const READ_ONLY_TEXT = "The database is temporarily read-only, for example during a failover. Try again in a few seconds.";

function isDiskFull(error: unknown): boolean {
  return primaryCode(error) === SQLITE_FULL || errorCode(error) === "53100";
}

const SQLITE_FULL = 13;
const NO_WRITE_ACCESS = "the service needs write access to it and its folder";
const FILE_FAULTS = new Map([
  [5, "a restore or another program is using it"],
  [8, NO_WRITE_ACCESS],
  [10, "its disk may be full"],
  [SQLITE_FULL, "its disk is full"],
  [14, NO_WRITE_ACCESS],
]);

export function fileFaultReason(error: unknown): string | undefined {
  return FILE_FAULTS.get(primaryCode(error));
}

/**
 * Returns whether the database is unreachable or read-only, or the connection was lost. A running transaction may or may not have been
 * committed.
 */
export function isUnavailable(error: unknown): boolean {
  if (UNREACHABLE_CODES.has(errorCode(error) ?? "") || FILE_FAULTS.has(primaryCode(error)) || isReadOnly(error) || isLocked(error))
    return true;
  return isPoolerFailure(error) || isSocketMissing(error) || (error instanceof Error && LOST_CONNECTION_PATTERN.test(error.message));
}

function isSocketMissing(error: unknown): boolean {
  return errorCode(error) === "ENOENT" && error instanceof Error && "syscall" in error && error.syscall === "connect";
}

/** Returns whether PgBouncer reported a server problem. It uses the same code for all of them. */
function isPoolerFailure(error: unknown): boolean {
  return errorCode(error) === "08P01" && error instanceof Error && "severity" in error && error.severity === "FATAL";
}

/** Codes for network errors, rejected credentials, server shutdown or startup, missing resources, I/O errors and timeouts. */
const UNREACHABLE_CODES = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "EHOSTDOWN", "ENETUNREACH", "ENETDOWN"],
  ...["ECONNABORTED", "ENOTFOUND", "EAI_AGAIN", "CERT_HAS_EXPIRED"],
  ...["28000", "28P01", "3D000"],
  ...["55000", "57014", "57P01", "57P02", "57P03", "53100", "53200", "53300", "58030", "08003", "08006"],
  ...["25P03", "25P04", "57P05"],
  // A replica cancelled the query, because it needed rows that the primary has removed.
  "40001",
]);

/** Messages of `pg` client errors that have no code. */
const LOST_CONNECTION_PATTERN =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end)/;

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : "";
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
