import { readAuthorization } from "../../../web/guard/user.ts";
import { type Dialect, dialectOfForm } from "../dialects.ts";
import type { Incoming, Opened } from "../exchange.ts";
import type { Message } from "../message.ts";
import type { Fault } from "../ota-error.ts";

/** What a body is opened with: what is known before, and the bytes without their compression, all of them or the first ones. */
export type Context = { base: Opened; bytes: Uint8Array; isWhole: boolean; headers: Incoming["headers"]; messages: readonly Message[] };

/** What the headers alone say of a request. */
export function unopened(incoming: Pick<Incoming, "headers">): Opened {
  return {
    transport: "none",
    dialect: dialectByHeaders(incoming.headers),
    action: undefined,
    body: new Uint8Array(),
    isWhole: true,
    source: undefined,
    document: undefined,
    credentials: readAuthorization(incoming.headers.authorization),
    refusal: undefined,
    empty: false,
  };
}

/** The dialect that the headers promise, for unreadable bodies. */
function dialectByHeaders(headers: Incoming["headers"]): Dialect {
  const type = headers["content-type"]?.toLowerCase() ?? "";
  const version = headers["x-alpinebits-clientprotocolversion"];
  if (type.startsWith("multipart/") || version !== undefined) return dialectOfForm(version);
  if (type.startsWith("application/soap+xml")) return { name: "plain", envelope: "soap12" };
  return { name: "plain", envelope: headers.soapaction === undefined ? "none" : "soap11" };
}

/** A request that is not opened any further. */
export function refused(opened: Opened, status: number, fault: Fault): Opened {
  return { ...opened, refusal: { status, fault } };
}
