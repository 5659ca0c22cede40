import type { FastifyRequest } from "fastify";
import type { User } from "./user.ts";

/** `sender` is a system that sends messages to `/channel`. */
type SignedIn = { name: string; kind: User["kind"] | "sender" };

/** `onceIn` limits how often the event is recorded, because API clients sign in with each request. If refused, `name` is unverified. */
export type SignInEvent =
  | { action: "sign in" | "sign out"; user: SignedIn; onceIn?: number }
  | { action: "refused sign-in" | "locked out"; kind: "person" | "token" | "sender"; name: string | undefined };

export type SignInSource = { address: string; agent?: string | undefined };

/** Records sign-ins in the audit log. Never rejects, because users must be able to sign in while nothing can be stored. */
export type SignInEvents = { record(event: SignInEvent, source: SignInSource): Promise<void> };

/** Returns the source of a sign-in. Node reports no address for a client that has disconnected. */
export function signInSource({ ip, headers }: FastifyRequest): SignInSource {
  return { address: ip ?? "", agent: headers["user-agent"] };
}
