import type { Incoming, Opened } from "../exchange.ts";
import type { Message } from "../message.ts";
import type { Fault } from "../ota-error.ts";
import type { Profile } from "../profiles/profile.ts";
import type { Recognised } from "../transports/recognise.ts";
import type { Dialect } from "./dialect.ts";

/** A body to open: what its headers say, and its bytes without compression, all of them or the first ones. */
export type Opening = {
  base: Opened;
  bytes: Uint8Array;
  isWhole: boolean;
  headers: Incoming["headers"];
  messages: readonly Message[];
  profile: Profile;
};

export type DialectFamily = {
  /** The dialect that the headers promise, in which an unreadable body is refused; `undefined` if they promise none of this family. */
  promisedBy(headers: Incoming["headers"]): Dialect | undefined;
  /** Opens a body as far as its message; `undefined` if it is not sent in this family's way. */
  open(opening: Opening, body: Recognised): Opened | undefined;
};

export function refused(opened: Opened, status: number, fault: Fault): Opened {
  return { ...opened, refusal: { status, fault } };
}
