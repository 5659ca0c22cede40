import type { FastifyRequest } from "fastify";
import type { Config } from "../../config.ts";
import type { Database } from "../../db/database.ts";
import { hasSender } from "./senders/store.ts";

/** Whether this request may post without a credential: where access is open and no sender exists. */
export async function takesEveryone({ database }: { database: Database }, { shell }: FastifyRequest): Promise<boolean> {
  return shell.open && !(await hasSender(database));
}

/** Where senders post, as seen from outside. */
export function endpointOf({ config }: { config: Config }, request: FastifyRequest): string {
  const origin = config.values.PUBLIC_URL?.origin ?? `${request.protocol}://${request.host}`;
  return `${origin}${config.prefix}/channel`;
}

/** The same for a page that anyone may open: a `Host` header counts only if it names this machine. */
export function publicEndpointOf({ config }: { config: Config }, request: FastifyRequest): string {
  const isKnown = config.values.PUBLIC_URL !== undefined || request.openAccess;
  return isKnown ? endpointOf({ config }, request) : "https://HOST/channel";
}
