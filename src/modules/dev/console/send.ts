import type { FastifyRequest } from "fastify";
import { OPEN_USER } from "../../../web/guard/user.ts";
import { type Outgoing } from "../../channel/exchange.ts";
import { type Authenticated } from "../../channel/senders/access.ts";
import { type DevNeeds } from "../needs.ts";

/** Header names are in lower case. */
export type ConsoleRequest = { headers: Readonly<Record<string, string>>; body: Uint8Array; dryRun: boolean };

/** Sends a message through the channel. It needs no sender credentials; the signed-in user counts as the sender. */
export function sendToChannel({ handle }: DevNeeds, request: FastifyRequest, { headers, body, dryRun }: ConsoleRequest): Promise<Outgoing> {
  const { actor } = request;
  const who: Authenticated = { state: "open", ...(actor !== OPEN_USER.name && { name: actor }) };
  return handle({ headers, body, who, remote: request.ip, via: "console", dryRun }, request);
}
