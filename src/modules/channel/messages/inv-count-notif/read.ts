import { isStrict } from "../../dialects.ts";
import type { HotelRequest, MessageReader, ReadContext } from "../../message.ts";
import { fieldMissing } from "../../ota-error.ts";
import type { Attributes } from "../../xml/reader.ts";
import { openControl } from "../parts/control.ts";
import { noHotel, readHotel } from "../parts/hotel.ts";
import { type Counts, noCounts, readCount, settled } from "./counts.ts";
import type { Inventories, Line } from "./line.ts";

/** Reads `OTA_HotelInvCountNotifRQ` and hands it to `finish`. */
export function readInventories(context: ReadContext, finish: (read: Inventories) => HotelRequest): MessageReader {
  const { dialect, head, report } = context;
  const hotel = noHotel();
  const lines: Line[] = [];
  const strict = isStrict(dialect);
  let line: Line | undefined;
  let counted = false;

  // oxlint-disable-next-line max-params -- called for each element, so that it makes no object
  function openInLine(current: Line, name: string, attributes: Attributes, offset: number): void {
    if (name === "InvCount") openCount(current, attributes, offset);
    else if (name === "StatusApplicationControl") openControl(current, attributes, context);
    else if (name === "InvCounts") openCounts(current);
    else if (name === "UniqueID") report.nameLine(current.at, attributes.get("ID"));
    else report.ignore(name);
  }

  function openCounts(current: Line): void {
    countsOf(current);
    counted = false;
  }

  function openCount(current: Line, attributes: Attributes, offset: number): void {
    const { record } = current.at;
    if (strict && attributes.get("CountType") === undefined) report.error(fieldMissing("CountType"), { offset, record });
    const fault = readCount(countsOf(current), attributes);
    if (fault) report.error(fault, { offset, record });
    counted = true;
  }

  return {
    open(name, attributes, at) {
      if (line) openInLine(line, name, attributes, at);
      else if (name === "Inventory")
        line = { at: { offset: at, record: undefined }, control: undefined, span: undefined, counts: undefined };
      else if (name === "Inventories") readHotel(hotel, { attributes, report, at: { offset: at, record: undefined } });
      else if (name !== "OTA_HotelInvCountNotifRQ") report.ignore(name);
    },
    close(name) {
      if (name === "InvCounts" && line && strict && !counted) report.error(fieldMissing("InvCount"), line.at);
      if (name !== "Inventory" || !line) return;
      if (line.counts) line.counts = settled(line.counts, { report, at: line.at });
      lines.push(line);
      line = undefined;
    },
    text() {},
    finish: () => finish({ hotel, lines, completeSet: head.completeSet }),
  };
}

function countsOf(line: Line): Counts {
  line.counts ??= noCounts();
  return line.counts;
}
