import type { Attributes } from "../../../xml/handler.ts";
import type { HotelReference, HotelRequest, Message, MessageReader, ReadContext } from "../message.ts";
import { systemBusy } from "../ota-error.ts";
import { setHotel, newHotelReference, readHotel } from "./parts/hotel.ts";
import { readCode, normalizeCode } from "./parts/values.ts";

/**
 * Replaces each message's reader with one that reads only the property, so that a sender without access can be refused before the rest is
 * read.
 */
export function withPropertyReaders(messages: readonly Message[]): readonly Message[] {
  return messages.map((message) => ({ ...message, read: (context) => new OutlineReader(message, context) }));
}

class OutlineReader implements MessageReader {
  readonly #message: Message;
  readonly #context: ReadContext;
  readonly #hotel = newHotelReference();
  #text: { offset: number; content: string } | undefined;

  constructor(message: Message, context: ReadContext) {
    this.#message = message;
    this.#context = context;
  }

  open(name: string, attributes: Attributes, offset: number): void {
    const { hotelElements, hotelCodeIn } = this.#message;
    if (this.#hotel.code !== undefined || !hotelElements.includes(name)) return;
    const { dialect, report } = this.#context;
    const isList = name === "HotelDescriptiveContents";
    if (isList && (dialect.ignoresContentsHotelCode || attributes.get("HotelCode") === undefined)) return;
    const reading = { attributes, report, at: { offset, record: undefined } };
    if (hotelCodeIn === "text") this.#text = { offset, content: "" };
    else if (hotelCodeIn === "id") setHotel(this.#hotel, { code: readCode("id", reading), name: undefined }, reading);
    else readHotel(this.#hotel, reading);
  }

  text(text: string): void {
    if (this.#text) this.#text.content += text;
  }

  close(name: string): void {
    if (!this.#text || !this.#message.hotelElements.includes(name)) return;
    const { offset, content } = this.#text;
    const spot = { report: this.#context.report, at: { offset, record: undefined } };
    this.#text = undefined;
    setHotel(this.#hotel, { code: normalizeCode(name, content, spot), name: undefined }, spot);
  }

  /** Accepts every limit, because the request is refused anyway. */
  narrow(): boolean {
    return true;
  }

  finish(): HotelRequest {
    return outlineRequest(this.#hotel);
  }
}

/** Returns a request that is always refused as busy, so that a sender that has just gained access resends the message. */
export function outlineRequest(hotel: HotelReference): HotelRequest {
  return {
    kind: "hotel",
    hotel,
    lines: 0,
    pages: [],
    decide({ report }) {
      report.error(systemBusy());
      return { summary: "" };
    },
  };
}
