import type { XmlFault } from "./handler.ts";

/** Stops the reading; caught where it began. */
export class XmlError extends Error {
  readonly fault: XmlFault;

  constructor(kind: XmlFault["kind"], offset: number, reason: string) {
    super(reason);
    this.fault = { kind, offset, reason };
  }
}
