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
