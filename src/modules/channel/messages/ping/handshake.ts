import { z } from "zod";
import { ALPINEBITS_VERSIONS, type AlpineBitsVersion, isWithinRange } from "../../dialects/alpinebits.ts";
import type { Capability, Message } from "../../message.ts";

/** A list that may be missing. Some libraries write null for an empty list. */
function optionalList<Item extends z.ZodType>(item: Item) {
  return z
    .array(item)
    .nullish()
    .transform((list) => list ?? undefined)
    .optional();
}

const handshakeSchema = z.object({
  versions: z.array(
    z.object({ version: z.string(), actions: optionalList(z.object({ action: z.string(), supports: optionalList(z.string()) })) }),
  ),
});
export type Handshake = z.infer<typeof handshakeSchema>;
type HandshakeVersion = Handshake["versions"][number];

/** Returns `undefined` if the string is not a handshake. */
export function parseHandshake(text: string): Handshake | undefined {
  try {
    return handshakeSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function announceCapabilities(messages: readonly Message[]): Handshake {
  return { versions: ALPINEBITS_VERSIONS.map((version) => ({ version, actions: supportedActions(messages, version) })) };
}

function supportedActions(messages: readonly Message[], version: AlpineBitsVersion): NonNullable<HandshakeVersion["actions"]> {
  return messages.flatMap((message) =>
    message.actions
      .filter((action) => isWithinRange(version, action))
      .map(({ handshake, capabilities = [] }) => {
        const supportedCapabilities = capabilities.flatMap((capability) => capabilityName(version, capability) ?? []);
        return supportedCapabilities.length === 0 ? { action: handshake } : { action: handshake, supports: supportedCapabilities };
      }),
  );
}

function capabilityName(version: AlpineBitsVersion, capability: Capability): string | undefined {
  if (typeof capability === "string") return capability;
  return isWithinRange(version, capability) ? capability.name : undefined;
}

export function intersectHandshakes(client: Handshake, server: Handshake): Handshake {
  return {
    versions: server.versions.flatMap((ours) => {
      const clientVersion = client.versions.find(({ version }) => version === ours.version);
      return clientVersion ? [{ version: ours.version, actions: commonActions(clientVersion, ours) }] : [];
    }),
  };
}

function commonActions(client: HandshakeVersion, server: HandshakeVersion): NonNullable<HandshakeVersion["actions"]> {
  return (server.actions ?? []).flatMap((ours) => {
    const clientAction = client.actions?.find(({ action }) => action === ours.action);
    if (!clientAction) return [];
    const supportedCapabilities = (ours.supports ?? []).filter((capability) => clientAction.supports?.includes(capability));
    return [supportedCapabilities.length === 0 ? { action: ours.action } : { action: ours.action, supports: supportedCapabilities }];
  });
}
