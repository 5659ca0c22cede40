import type { FastifyReply } from "fastify";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import type { By } from "../../records/audit.ts";

export type PlanDeps = { database: Database; clock: Clock };

export type RequestContext = { services: PlanDeps; reply: FastifyReply };

export function authorOf({ services: { clock }, reply }: RequestContext): By {
  return { ...reply.request.by, at: clock.now() };
}
