import type { IncomingRequest, OpenedRequest } from "../exchange.ts";
import type { Message } from "../message.ts";
import type { Fault } from "../ota-error.ts";
import type { Profile } from "../profiles/profile.ts";
import type { RecognisedBody } from "../transports/recognise.ts";
import type { Dialect } from "./dialect.ts";

/** A body to open, with its headers. If `isComplete` is false, `bytes` contains only the first uncompressed bytes. */
export type UnopenedRequest = {
  base: OpenedRequest;
  bytes: Uint8Array;
  isComplete: boolean;
  headers: IncomingRequest["headers"];
  messages: readonly Message[];
  profile: Profile;
};

export type DialectFamily = {
  /** Returns the dialect in this family that the headers indicate, or `undefined` if there is none. Used to refuse an unreadable body. */
  fromHeaders(headers: IncomingRequest["headers"]): Dialect | undefined;
  /** Finds the message in a body. Returns `undefined` if the body isn't in this family's format. */
  open(unopened: UnopenedRequest, body: RecognisedBody): OpenedRequest | undefined;
};

export function withRefusal(opened: OpenedRequest, status: number, fault: Fault): OpenedRequest {
  return { ...opened, refusal: { status, fault } };
}
