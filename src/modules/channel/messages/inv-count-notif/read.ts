import type { Attributes } from "../../../../xml/handler.ts";
import { isStrict } from "../../dialects.ts";
import type { HotelRequest, MessageReader, ReadContext } from "../../message.ts";
import { fieldMissing, note } from "../../ota-error.ts";
import type { Report } from "../../report.ts";
import { openDatedControl } from "../parts/control.ts";
import { noHotel, readHotel } from "../parts/hotel.ts";
import { type Counts, noCounts, readCount, settled } from "./counts.ts";
import type { Inventories, Line } from "./line.ts";

/** Reads `OTA_HotelInvCountNotifRQ` and hands it to `finish`. */
export class InventoriesReader implements MessageReader {
  readonly #context: ReadContext;
  readonly #finish: (read: Inventories) => HotelRequest;
  readonly #strict: boolean;
  readonly #hotel = noHotel();
  readonly #lines: Line[] = [];
  #line: Line | undefined;
  /** Whether the open `InvCounts` has an `InvCount`. */
  #counted = false;
  /** Whether the open line tells how many rooms may be sold beyond those there are. */
  #oversells = false;

  constructor(context: ReadContext, finish: (read: Inventories) => HotelRequest) {
    this.#context = context;
    this.#finish = finish;
    this.#strict = isStrict(context.dialect);
  }

  open(name: string, attributes: Attributes, at: number): void {
    const { report } = this.#context;
    if (this.#line) this.#openInLine(this.#line, name, attributes, at);
    else if (name === "Inventory") this.#openLine(at);
    else if (name === "Inventories") readHotel(this.#hotel, { attributes, report, at: { offset: at, record: undefined } });
    else if (name !== "OTA_HotelInvCountNotifRQ") report.ignore(name);
  }

  close(name: string): void {
    const { report } = this.#context;
    const line = this.#line;
    if (name === "InvCounts" && line && this.#strict && !this.#counted) report.error(fieldMissing("InvCount"), line.at);
    if (name !== "Inventory" || !line) return;
    if (line.counts) line.counts = settled(line.counts, { report, at: line.at });
    if (this.#oversells) leaveOversellingOut(line, report);
    this.#lines.push(line);
    this.#line = undefined;
  }

  text(): void {}

  finish(): HotelRequest {
    return this.#finish({ hotel: this.#hotel, lines: this.#lines, completeSet: this.#context.head.completeSet });
  }

  #openLine(offset: number): void {
    this.#line = { at: { offset, record: undefined }, control: undefined, range: undefined, counts: undefined };
    this.#oversells = false;
  }

  // oxlint-disable-next-line max-params -- called for each element, so that it makes no object
  #openInLine(line: Line, name: string, attributes: Attributes, offset: number): void {
    const { report } = this.#context;
    if (name === "InvCount") this.#openCount(line, attributes, offset);
    else if (name === "StatusApplicationControl")
      openDatedControl(line, { attributes, offset, before: this.#lines.at(-1)?.control }, this.#context);
    else if (name === "InvCounts") this.#openCounts(line);
    else if (name === "UniqueID") report.nameLine(line.at, attributes.get("ID"));
    else if (name === "OffSell") this.#oversells = true;
    else report.ignore(name);
  }

  #openCounts(line: Line): void {
    countsOf(line);
    this.#counted = false;
  }

  #openCount(line: Line, attributes: Attributes, offset: number): void {
    const { report } = this.#context;
    const { record } = line.at;
    if (this.#strict && attributes.get("CountType") === undefined) report.error(fieldMissing("CountType"), { offset, record });
    const fault = readCount(countsOf(line), attributes);
    if (fault) report.error(fault, { offset, record });
    this.#counted = true;
  }
}

/** A line without counts is sold out, but not one that tells this alone: without its nights it changes nothing. */
function leaveOversellingOut(line: Line, report: Report): void {
  report.warn(note("OffSell is not stored"), line.at);
  if (line.counts === undefined) line.range = undefined;
}

function countsOf(line: Line): Counts {
  line.counts ??= noCounts();
  return line.counts;
}
