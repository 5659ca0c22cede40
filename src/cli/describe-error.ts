/** Returns only the message for errors that the user can fix. Compares names, because importing the classes would load every command. */
export function describeError(error: unknown): unknown {
  const isUserError =
    error instanceof Error &&
    ["ConfigError", "CopyError", "NewerSchemaError", "UnsuitableServerError", "UsageError", "StartError"].includes(error.name);
  if (isUserError) return error.message;
  return isSystemError(error) ? `Cannot open the database: ${error.message || error.code}. Check DATA_DIR and DATABASE_URL.` : error;
}

/** Recognises errors from the operating system, SQLite and PostgreSQL by their additional properties. */
function isSystemError(error: unknown): error is Error & { code?: string } {
  if (!(error instanceof Error)) return false;
  return error.name === "UnreachableServerError" || ["syscall", "errcode", "severity", "errors"].some((property) => property in error);
}
