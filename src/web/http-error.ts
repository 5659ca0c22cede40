/** No route for the method and path, or no record on a known route. */
export class NotFoundException extends Error {
  override readonly name = "NotFoundException";
  readonly statusCode = 404;
  readonly code = 0;
}

/** A request that cannot be answered as asked; `statusCode` is what the client gets. */
export class HttpException extends Error {
  override readonly name = "HttpException";
  readonly statusCode: number;
  readonly code = 0;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** An argument of the right type with a value that cannot be. */
export class ValueError extends Error {
  override readonly name = "ValueError";
  readonly code = 0;
}

/** What the specification has a `ValueError` say where an empty text is given to the XML loader. */
export const EMPTY_XML = "DOMDocument::loadXML(): Argument #1 ($source) must not be empty";

/** The name of the kind of a thrown value. The client of PostgreSQL names all of its errors `error`. */
export function classOf(error: unknown): string {
  if (!(error instanceof Error)) return "Error";
  const { name } = error;
  if (typeof name === "string" && name.trim() !== "" && name.toLowerCase() !== "error") return name;
  return error.constructor?.name || "Error";
}

/** What a thrown value says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The HTTP status of a thrown value: its own, where that is one of an error, else 500. */
export function statusOf(error: unknown): number {
  const status = typeof error === "object" && error !== null && "statusCode" in error ? error.statusCode : undefined;
  return Number.isInteger(status) && (status as number) >= 400 && (status as number) < 600 ? (status as number) : 500;
}
