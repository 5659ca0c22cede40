import { isStrict } from "../../dialects.ts";
import type { MessageReader, ReadContext } from "../../message.ts";
import { fieldMissing, secondControl } from "../../ota-error.ts";
import type { Opened } from "../../xml/reader.ts";
import { readControl } from "../parts/control.ts";
import { spanOf } from "../parts/dates.ts";
import { noHotel, readHotel } from "../parts/hotel.ts";
import type { Reading } from "../parts/restrictions.ts";
import { type Counts, noCounts, readCount, warnOfUnusedCounts } from "./counts.ts";
import type { Inventories, Line } from "./line.ts";

/** Reads `OTA_HotelInvCountNotifRQ` and hands it to `finish`. */
export function readInventories<T>({ dialect, head, report }: ReadContext, finish: (read: Inventories) => T) {
  const hotel = noHotel();
  const lines: Line[] = [];
  const strict = isStrict(dialect);
  let line: Line | undefined;
  let counted = false;

  function openInLine(current: Line, name: string, { attributes, at: offset }: Opened): void {
    if (name === "StatusApplicationControl") {
      if (current.control) report.error(secondControl(), current.at);
      current.control = readControl(attributes, current.at, report);
      current.span = spanOf(current.control.dates, report, current.at);
    } else if (name === "InvCounts") openCounts(current);
    else if (name === "InvCount") openCount(current, { attributes, report, at: { offset, record: current.at.record } });
    else if (name === "UniqueID") report.nameLine(current.at, attributes.get("ID"));
    else report.ignore(name);
  }

  function openCounts(current: Line): void {
    countsOf(current);
    counted = false;
  }

  function openCount(current: Line, reading: Reading): void {
    if (strict && reading.attributes.get("CountType") === undefined) report.error(fieldMissing("CountType"), reading.at);
    readCount(countsOf(current), reading);
    counted = true;
  }

  return {
    open(name, attributes, at) {
      if (line) openInLine(line, name, { attributes, at });
      else if (name === "Inventory")
        line = { at: { offset: at, record: undefined }, control: undefined, span: undefined, counts: undefined };
      else if (name === "Inventories") readHotel(hotel, attributes, { report, offset: at });
      else if (name !== "OTA_HotelInvCountNotifRQ") report.ignore(name);
    },
    close(name) {
      if (name === "InvCounts" && line && strict && !counted) report.error(fieldMissing("InvCount"), line.at);
      if (name !== "Inventory" || !line) return;
      if (line.counts) warnOfUnusedCounts(line.counts, report, line.at);
      lines.push(line);
      line = undefined;
    },
    text() {},
    finish: () => finish({ hotel, lines, completeSet: head.completeSet }),
  } satisfies Omit<MessageReader, "finish"> & { finish(): T };
}

function countsOf(line: Line): Counts {
  line.counts ??= noCounts();
  return line.counts;
}
