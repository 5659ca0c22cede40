import type { FastifyReply } from "fastify";
import type { Faults } from "./form.ts";
import { isByToken } from "./guard/user.ts";
import { sendProblem } from "./problem.ts";

/** Sends JSON. Clients with a token may store the response and revalidate it with its ETag. */
export function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  const { method, user } = reply.request;
  const mayStore = (method === "GET" || method === "HEAD") && user?.kind === "token";
  return reply
    .type("application/json; charset=utf-8")
    .header("vary", "accept, accept-encoding")
    .header("cache-control", mayStore ? "private, no-cache" : "no-store")
    .send(`${JSON.stringify(value, undefined, 2)}\n`);
}

/** Sends form errors. Clients with a token get problem details; others get only the errors. */
export function sendFaults(reply: FastifyReply, faults: Faults): FastifyReply {
  if (isByToken(reply.request)) return sendProblem(reply, { status: 422, detail: "Some values are invalid.", errors: faults });
  return sendJson(reply.code(422), { errors: faults });
}
