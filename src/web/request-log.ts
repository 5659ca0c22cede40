import { type FastifyReply, type FastifyRequest, LogController } from "fastify";

/** Levels that log requests; making a line costs as much as writing it, so others make none. */
const TALKATIVE: ReadonlySet<string> = new Set(["debug", "trace"]);

/** Logs requests: at level `debug` one line for each answered one; an error at any level. */
export class RequestLog extends LogController {
  readonly #mask: (text: string) => string;

  /** `mask` takes secrets out of a text. */
  constructor(mask: (text: string) => string) {
    super();
    this.#mask = mask;
  }

  override incomingRequest(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    if (!error && !TALKATIVE.has(request.log.level)) return;
    const { id, method, originalUrl, ip } = request;
    const line = {
      reqId: id,
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
