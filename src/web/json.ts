import type { FastifyReply } from "fastify";
import type { Faults } from "./form.ts";

export function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  return reply
    .type("application/json; charset=utf-8")
    .header("vary", "accept")
    .header("cache-control", "no-store")
    .send(`${JSON.stringify(value, undefined, 2)}\n`);
}

export function sendFaults(reply: FastifyReply, faults: Faults): FastifyReply {
  return sendJson(reply.code(422), { errors: faults });
}
