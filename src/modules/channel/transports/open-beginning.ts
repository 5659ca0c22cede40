import { maskUnread } from "../../../secrets/mask.ts";
import type { Incoming, Opened } from "../exchange.ts";
import type { HotelReference, Message } from "../message.ts";
import { outlineOf } from "../messages/outline.ts";
import { type Beginning, unpackBeginning } from "./gzip.ts";
import { maskRecognised, openRecognised, unpackRefusal } from "./open.ts";
import { unopened } from "./opened.ts";
import { recognise } from "./recognise.ts";

/** What the beginning of a request shows. */
export type OpenedBeginning = {
  opened: Opened;
  /** The property that the message names, as far as it was read. */
  hotel: HotelReference;
  /** The same with the body, without its secrets, for the log. */
  toLog(): Opened;
};

/** Opens the first bytes of a request as far as its credentials and its property. Nothing waits for it, and no input makes it throw. */
export async function openBeginning(
  { headers }: Pick<Incoming, "headers">,
  beginning: Beginning,
  messages: readonly Message[],
): Promise<OpenedBeginning> {
  const { messages: outlines, hotel } = outlineOf(messages);
  const base = { ...unopened({ headers }), isWhole: beginning.isWhole };
  const unpacked = await unpackBeginning(beginning, headers["content-encoding"]);
  if ("problem" in unpacked) {
    const unreadable = { ...base, refusal: unpackRefusal(unpacked) };
    return { opened: unreadable, hotel, toLog: () => ({ ...unreadable, body: maskUnread(beginning.bytes) }) };
  }
  const { bytes, isWhole } = unpacked;
  const recognised = recognise(bytes, headers["content-type"] ?? "", unpacked);
  const opened = openRecognised({ base: { ...base, isWhole }, bytes, isWhole, headers, messages: outlines }, recognised);
  return { opened, hotel, toLog: () => ({ ...opened, body: maskRecognised(recognised, bytes) }) };
}
