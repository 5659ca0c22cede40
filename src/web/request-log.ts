import { type FastifyReply, type FastifyRequest, LogController } from "fastify";

/** Levels at which requests are told; to make a line that is not written costs as much as to write it. */
const TALKATIVE: ReadonlySet<string> = new Set(["debug", "trace"]);

/** What the process log says of requests: at level `debug` one line for each, when it is answered; an error at any level. */
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
