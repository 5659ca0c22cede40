/** Refused for lack of a credential or a right. It is logged, but never recorded as an error. */
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
