import type { Attributes } from "../../../../xml/handler.ts";
import type { HotelRequest, MessageReader, ReadContext } from "../../message.ts";
import { fieldMissing, note } from "../../ota-error.ts";
import type { Reading, Report } from "../../report.ts";
import { openDatedControl } from "../parts/control.ts";
import { noHotel, readHotel } from "../parts/hotel.ts";
import { readLengthOfStay, readLengthsOfStay, readPattern, readRestrictionStatus, settleRestrictions } from "../parts/restrictions.ts";
import { namesKindAlone, readLimit } from "./limit.ts";
import type { AvailStatus, Line } from "./line.ts";

/** Reads `OTA_HotelAvailNotifRQ` and hands it to `finish`. */
export class AvailStatusReader implements MessageReader {
  readonly #context: ReadContext;
  readonly #finish: (read: AvailStatus) => HotelRequest;
  readonly #hotel = noHotel();
  readonly #lines: Line[] = [];
  #line: Line | undefined;
  /** Whether the open line is to set a limit that it does not have. */
  #lacksLimit = false;

  constructor(context: ReadContext, finish: (read: AvailStatus) => HotelRequest) {
    this.#context = context;
    this.#finish = finish;
  }

  open(name: string, attributes: Attributes, at: number): void {
    const { report } = this.#context;
    if (this.#line) this.#openInLine(this.#line, name, { attributes, report, at: { offset: at, record: this.#line.at.record } });
    else if (name === "AvailStatusMessage") this.#line = this.#newLine(attributes, at);
    else if (name === "AvailStatusMessages") readHotel(this.#hotel, { attributes, report, at: { offset: at, record: undefined } });
    else if (name !== "OTA_HotelAvailNotifRQ") report.ignore(name);
  }

  close(name: string): void {
    if (name !== "AvailStatusMessage" || !this.#line) return;
    const { report } = this.#context;
    settleRestrictions(this.#line.restrictions, { report, at: this.#line.at });
    if (this.#lacksLimit) tellMissingLimit(this.#line, report);
    this.#lines.push(this.#line);
    this.#line = undefined;
  }

  text(): void {}

  finish(): HotelRequest {
    return this.#finish({ hotel: this.#hotel, lines: this.#lines, completeSet: this.#context.head.completeSet });
  }

  #newLine(attributes: Attributes, offset: number): Line {
    const start = { offset, record: attributes.get("LocatorID") };
    this.#lacksLimit = namesKindAlone(attributes);
    const limit = readLimit({ attributes, report: this.#context.report, at: start });
    return { start, at: { ...start }, control: undefined, range: undefined, limit, restrictions: new Map() };
  }

  #openInLine(line: Line, name: string, reading: Reading): void {
    const { attributes, report } = reading;
    if (name === "StatusApplicationControl")
      openDatedControl(line, { attributes, offset: reading.at.offset, before: this.#lines.at(-1)?.control }, this.#context);
    else if (name === "RestrictionStatus") readRestrictionStatus(line.restrictions, reading);
    else if (name === "LengthOfStay") readLengthOfStay(line.restrictions, reading);
    else if (name === "LOS_Pattern") readPattern(line.restrictions, reading);
    else if (name === "UniqueID") nameLine(line, reading);
    else if (name === "LengthsOfStay") readLengthsOfStay(line.restrictions, reading);
    else report.ignore(name);
  }
}

function tellMissingLimit({ start, restrictions }: Line, report: Report): void {
  if (restrictions.size === 0) report.error(fieldMissing("BookingLimit"), start);
  else report.warn(note("SetLimit without BookingLimit sets no limit"), start);
}

/** Names both places of the line. */
function nameLine({ start, at }: Line, { attributes, report }: Reading): void {
  at.record = attributes.get("ID");
  report.nameLine(start, at.record);
}
