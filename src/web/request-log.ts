import { type FastifyReply, type FastifyRequest, LogController } from "fastify";

/** What the process log says of requests: one line for each, when it is answered; one more when it comes in would tell nothing new. */
export class RequestLog extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const { id, method, url, ip } = request;
    const line = { reqId: id, method, url, status: reply.statusCode, ms: Math.round(reply.elapsedTime * 100) / 100, ip };
    if (error) request.log.error({ ...line, err: error }, "not answered");
    else request.log.info(line, "answered");
  }
}
