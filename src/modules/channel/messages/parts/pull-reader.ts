import type { HotelRequest, MessageReader } from "../../message.ts";
import { note } from "../../ota-error.ts";
import type { ElementContext, MessageReport } from "../../report.ts";

export type PullElements = Readonly<Record<string, (reading: ElementContext) => void>>;

/** Reads an element that only contains other elements. */
export const IGNORE_CONTAINER = (): void => {};

/** Reads a query. Warns that an unknown element had no effect, because it may be a filter. */
export function readPull(report: MessageReport, elements: PullElements, finish: () => HotelRequest): MessageReader {
  let skipped = 0;
  return {
    open(name, attributes, offset) {
      if (skipped > 0) return void skipped++;
      const at = { offset, record: undefined };
      const readElement = Object.hasOwn(elements, name) ? elements[name] : undefined;
      if (readElement) return readElement({ attributes, report, at });
      skipped = 1;
      report.warn(note(`${name} was ignored and does not limit this response`), at);
    },
    close() {
      if (skipped > 0) skipped--;
    },
    text() {},
    finish,
  };
}
