import { type FastifyReply, type FastifyRequest, LogController } from "fastify";

/** At other log levels, the log line isn't built, because building it takes as long as writing it. */
const LOGGED_LEVELS: ReadonlySet<string> = new Set(["debug", "trace"]);

export class RequestLog extends LogController {
  readonly #mask: (text: string) => string;

  constructor(mask: (text: string) => string) {
    super();
    this.#mask = mask;
  }

  override incomingRequest(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    if (!error && !LOGGED_LEVELS.has(request.log.level)) return;
    const { id, method, originalUrl, ip } = request;
    const line = {
      reqId: id,
      messageId: reply.getHeader("x-message-id"),
      method,
      url: this.#mask(originalUrl),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 100) / 100,
      ip,
    };
    if (error) request.log.error({ ...line, err: error }, "not answered");
    else request.log.debug(line, "answered");
  }
}
