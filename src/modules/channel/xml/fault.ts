import type { XmlFault } from "./reader.ts";

/** Stops the reading; caught where it began. */
export class Fault extends Error {
  readonly fault: XmlFault;

  constructor(kind: XmlFault["kind"], offset: number, reason: string) {
    super(reason);
    this.fault = { kind, offset, reason };
  }
}
