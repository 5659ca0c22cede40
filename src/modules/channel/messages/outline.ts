import type { Attributes } from "../../../xml/handler.ts";
import type { HotelReference, HotelRequest, Message, MessageReader, ReadContext } from "../message.ts";
import { systemBusy } from "../ota-error.ts";
import { nameHotel, noHotel, readHotel } from "./parts/hotel.ts";
import { readCode, normalizeCode } from "./parts/values.ts";

/** Returns message definitions whose readers read only the property. A sender without access can then be refused before the rest is read. */
export function propertyOnly(messages: readonly Message[]): readonly Message[] {
  return messages.map((message) => ({ ...message, read: (context) => new OutlineReader(message, context) }));
}

class OutlineReader implements MessageReader {
  readonly #message: Message;
  readonly #context: ReadContext;
  readonly #hotel = noHotel();
  #text: { offset: number; content: string } | undefined;

  constructor(message: Message, context: ReadContext) {
    this.#message = message;
    this.#context = context;
  }

  open(name: string, attributes: Attributes, offset: number): void {
    const { hotelElements, hotelCodeIn } = this.#message;
    if (this.#hotel.code !== undefined || !hotelElements.includes(name)) return;
    const { dialect, report } = this.#context;
    const isShared = name === "HotelDescriptiveContents";
    if (isShared && (dialect.ignoresCodeOfContents || attributes.get("HotelCode") === undefined)) return;
    const reading = { attributes, report, at: { offset, record: undefined } };
    if (hotelCodeIn === "text") this.#text = { offset, content: "" };
    else if (hotelCodeIn === "id") nameHotel(this.#hotel, { code: readCode("id", reading), name: undefined }, reading);
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
    nameHotel(this.#hotel, { code: normalizeCode(name, content, spot), name: undefined }, spot);
  }

  /** Accepts every limit, because the request is refused anyway. */
  narrow(): boolean {
    return true;
  }

  finish(): HotelRequest {
    return outlineRequest(this.#hotel);
  }
}

/** Returns a request that is always refused. A sender that has just gained access can resend the message. */
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
