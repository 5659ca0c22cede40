import type { FastifyRequest } from "fastify";
import { OPEN_USER } from "../../../web/guard/user.ts";
import { failureRecorder } from "../../channel/endpoint.ts";
import type { Outgoing } from "../../channel/exchange.ts";
import { handleMessage } from "../../channel/handle.ts";
import { messages } from "../../channel/messages/index.ts";
import type { Authenticated } from "../../channel/senders/access.ts";
import type { ChannelDeps } from "../../channel/traffic.ts";
import type { Services } from "../../module.ts";

/** Header names are in lower case. */
export type ConsoleRequest = { headers: Readonly<Record<string, string>>; body: Uint8Array; dryRun: boolean };

/** Sends a message through the channel. It needs no sender credentials; the signed-in user counts as the sender. */
export function sendToChannel(services: Services, request: FastifyRequest, { headers, body, dryRun }: ConsoleRequest): Promise<Outgoing> {
  const { actor } = request;
  const deps: ChannelDeps = {
    database: services.database,
    clock: services.clock,
    messages,
    traffic: services.traffic,
    recordError: failureRecorder(services.errors, request),
  };
  const who: Authenticated = { state: "open", ...(actor !== OPEN_USER.name && { name: actor }) };
  return handleMessage(deps, { headers, body, who, remote: request.ip, via: "console", dryRun });
}
