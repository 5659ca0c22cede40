import type { HotelRequest, MessageReader, ReadContext } from "../../message.ts";
import type { Attributes, Opened } from "../../xml/reader.ts";
import { openControl } from "../parts/control.ts";
import { noHotel, readHotel } from "../parts/hotel.ts";
import { readLengthOfStay, readLengthsOfStay, readPattern, readRestrictionStatus } from "../parts/restrictions.ts";
import { readLimit } from "./limit.ts";
import type { AvailStatus, Line } from "./line.ts";

/** Reads `OTA_HotelAvailNotifRQ` and hands it to `finish`. */
export function readAvailStatus(context: ReadContext, finish: (read: AvailStatus) => HotelRequest): MessageReader {
  const { head, report } = context;
  const hotel = noHotel();
  const lines: Line[] = [];
  let line: Line | undefined;

  function openInLine(current: Line, name: string, { attributes, at: offset }: Opened): void {
    const reading = { attributes, report, at: { offset, record: current.at.record } };
    if (name === "StatusApplicationControl") openControl(current, attributes, context);
    else if (name === "RestrictionStatus") readRestrictionStatus(current.restrictions, reading);
    else if (name === "LengthOfStay") readLengthOfStay(current.restrictions, reading);
    else if (name === "LOS_Pattern") readPattern(current.restrictions, reading);
    else if (name === "UniqueID") report.nameLine(current.at, attributes.get("ID"));
    else if (name === "LengthsOfStay") readLengthsOfStay(reading);
    else report.ignore(name);
  }

  return {
    open(name, attributes, at) {
      if (line) openInLine(line, name, { attributes, at });
      else if (name === "AvailStatusMessage") line = newLine(attributes, at);
      else if (name === "AvailStatusMessages") readHotel(hotel, { attributes, report, at: { offset: at, record: undefined } });
      else if (name !== "OTA_HotelAvailNotifRQ") report.ignore(name);
    },
    close(name) {
      if (name !== "AvailStatusMessage" || !line) return;
      lines.push(line);
      line = undefined;
    },
    text() {},
    finish: () => finish({ hotel, lines, completeSet: head.completeSet }),
  };

  function newLine(attributes: Attributes, offset: number): Line {
    const at = { offset, record: attributes.get("LocatorID") };
    return { at, control: undefined, span: undefined, limit: readLimit(attributes, report, at), restrictions: new Map() };
  }
}
