import type { FastifyRequest } from "fastify";
import { type Config } from "../../config.ts";
import { type Database } from "../../db/database.ts";
import { type ErrorRecorder } from "../../web/error-handler.ts";
import { hasSender } from "./senders/store.ts";
import type { ChannelDeps } from "./traffic.ts";

export async function needsNoCredentials({ database }: { database: Database }, { shell }: FastifyRequest): Promise<boolean> {
  return shell.open && !(await hasSender(database));
}

export function endpointUrl({ config }: { config: Config }, request: FastifyRequest): string {
  const origin = config.values.PUBLIC_URL?.origin ?? `${request.protocol}://${request.host}`;
  return `${origin}${config.prefix}/channel`;
}

/** Like `endpointUrl`, but for a public page: trusts a `Host` header only if it names the local machine. */
export function publicEndpointUrl(services: { config: Config }, request: FastifyRequest): string {
  const isKnown = services.config.values.PUBLIC_URL !== undefined || request.openAccess;
  return isKnown ? endpointUrl(services, request) : "https://HOST/channel";
}

/**
 * Records errors in the error log. Also writes internal errors to the process log, because the error log can't be written if the disk is
 * full.
 */
export function failureRecorder(errors: ErrorRecorder, request: FastifyRequest): ChannelDeps["recordError"] {
  return (error, status) => {
    if (status >= 500) request.log.error({ reqId: request.id, err: error });
    return errors.record(error, request, status);
  };
}
