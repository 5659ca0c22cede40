import { isStrict } from "../dialects.ts";
import type { HotelReference, HotelRequest, Message } from "../message.ts";
import { systemBusy } from "../ota-error.ts";
import { noHotel, readHotel } from "./parts/hotel.ts";

/** Messages of which only the property is read, and the property they name. */
export type Outline = { messages: readonly Message[]; hotel: HotelReference };

/** Stands in for messages whose sender may turn out to have no access: reading everything would be a waste. */
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
        if (isShared && (isStrict(dialect) || attributes.get("HotelCode") === undefined)) return;
        readHotel(hotel, { attributes, report, at: { offset, record: undefined } });
      },
      close() {},
      text() {},
      finish: () => requestFor(hotel),
    }),
  };
}

/** It is only handled to be refused. If the sender has access after all by then, the message can be sent again. */
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
