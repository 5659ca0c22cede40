export class NotFoundException extends Error {
  override readonly name = "NotFoundException";
  readonly statusCode = 404;
  readonly code = 0;
}

export class HttpException extends Error {
  override readonly name = "HttpException";
  readonly statusCode: number;
  readonly code = 0;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

export class AccessException extends Error {
  override readonly name = "AccessException";
  readonly statusCode: 401 | 403 | 429;
  readonly retryAfter: number | undefined;

  constructor(statusCode: 401 | 403 | 429, message: string, retryAfter?: number) {
    super(message);
    this.statusCode = statusCode;
    this.retryAfter = retryAfter;
  }
}

export class ValueError extends Error {
  override readonly name = "ValueError";
  readonly code = 0;
}

/** The message that the specification requires for an empty document. */
export const EMPTY_XML_TEXT = "DOMDocument::loadXML(): Argument #1 ($source) must not be empty";

/** Returns the class name of a thrown value. The PostgreSQL client names all of its errors `error`. */
export function errorClass(error: unknown): string {
  if (!(error instanceof Error)) return "Error";
  const { name } = error;
  if (typeof name === "string" && name.trim() !== "" && name.toLowerCase() !== "error") return name;
  return error.constructor?.name || "Error";
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the HTTP status of a thrown value, or 500 if it has none. */
export function errorStatus(error: unknown): number {
  const status = typeof error === "object" && error !== null && "statusCode" in error ? error.statusCode : undefined;
  return Number.isInteger(status) && (status as number) >= 400 && (status as number) < 600 ? (status as number) : 500;
}
