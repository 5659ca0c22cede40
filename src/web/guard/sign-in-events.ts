import type { FastifyRequest } from "fastify";
import type { User } from "./user.ts";

/** `sender` is a system that sends messages to `/channel`. */
type SignedIn = { name: string; kind: User["kind"] | "sender" };

/**
 * `onceIn`: programs sign in with each request, so an event is recorded at most once in this time. `name` of a refused client is what it claims
 * to be.
 */
export type SignInEvent =
  | { action: "sign in" | "sign out"; user: SignedIn; onceIn?: number }
  | { action: "refused sign-in" | "locked out"; kind: "person" | "token" | "sender"; name: string | undefined };

export type SignInSource = { address: string; agent?: string | undefined };

/** Records sign-ins in the audit log. Never rejects, because people must be able to sign in while nothing can be stored. */
export type SignInEvents = { record(event: SignInEvent, source: SignInSource): Promise<void> };

/** Node has no address for a client that has disconnected. */
export function sourceOf({ ip, headers }: FastifyRequest): SignInSource {
  return { address: ip ?? "", agent: headers["user-agent"] };
}
