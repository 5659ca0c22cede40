import type { FastifyRequest } from "fastify";
import type { Services } from "../module.ts";

/** Where senders post, as seen from outside. */
export function endpointOf({ config }: Pick<Services, "config">, request: FastifyRequest): string {
  const origin = config.values.PUBLIC_URL?.origin ?? `${request.protocol}://${request.host}`;
  return `${origin}${config.prefix}/channel`;
}
