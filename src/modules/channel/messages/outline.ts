import type { HotelReference, HotelRequest, Message } from "../message.ts";
import { systemBusy } from "../ota-error.ts";
import { noHotel, readHotel } from "./parts/hotel.ts";

type Outline = { messages: readonly Message[]; hotel: HotelReference };

/** Used until the sender's access is known, to avoid reading everything. */
export function outlineOf(messages: readonly Message[]): Outline {
  const hotel = noHotel();
  return { messages: messages.map((message) => outlineMessage(message, hotel)), hotel };
}

function outlineMessage(message: Message, hotel: HotelReference): Message {
  return {
    ...message,
    read: ({ dialect, report }) => ({
      open(name, attributes, offset) {
        if (hotel.code !== undefined || !message.hotelElements.includes(name)) return;
        const isShared = name === "HotelDescriptiveContents";
        if (isShared && (dialect.ignoresCodeOfContents || attributes.get("HotelCode") === undefined)) return;
        readHotel(hotel, { attributes, report, at: { offset, record: undefined } });
      },
      close() {},
      text() {},
      narrow: () => true,
      finish: () => requestFor(hotel),
    }),
  };
}

/** The request is refused anyway. If the sender has got access in the meantime, it may send the message again. */
function requestFor(hotel: HotelReference): HotelRequest {
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
