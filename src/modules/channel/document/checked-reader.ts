import type { Attributes } from "../../../xml/handler.ts";
import type { NarrowingAttribute } from "../elements/narrowing.ts";
import { canLimit, changesNights, isRead, attributeKind, type ElementRules, findElementRules } from "../elements/part.ts";
import { CONTROL_ELEMENT } from "../elements/parts.ts";
import { EXTENSION_ELEMENT, isDistribution } from "../elements/words.ts";
import type { MessageReader, ReadContext } from "../message.ts";
import { narrowedFault, unknownPartIgnored, notStored } from "../ota-error.ts";
import type { Profile } from "../profiles/profile.ts";
import type { MessageReport } from "../report.ts";
import { LoggedReader } from "./logged-reader.ts";
import { NarrowingElement } from "./narrowing-element.ts";

type CheckContext = Pick<ReadContext, "profile" | "report">;

/** Checks each part of a message against its element list before it reaches the reader. Messages without a list are read unchecked. */
export function checkParts(reader: MessageReader, root: string, context: CheckContext): MessageReader {
  const parts = findElementRules(root);
  if (!parts) return reader;
  return changesNights(root) ? new CheckedReader(reader, parts, context) : new LoggedReader(reader, parts, context.report);
}

type OpenElement = { name: string; attributes: Attributes; offset: number };

/**
 * Passes supported elements to the reader, and reports elements that limit a line to its `narrow` method. Warns about unknown parts and
 * about ignored parts that may carry stock, a price or a restriction. Harmless parts are only logged.
 */
class CheckedReader implements MessageReader {
  readonly #reader: MessageReader;
  readonly #parts: ReadonlyMap<string, ElementRules>;
  readonly #profile: Profile;
  readonly #report: MessageReport;
  /** The open elements that are being read. */
  readonly #path: ElementRules[] = [];
  /** Number of open elements that are being skipped or stored as sent. */
  #skipped = 0;
  #stored = 0;
  #narrowing: NarrowingElement | undefined;

  constructor(reader: MessageReader, parts: ReadonlyMap<string, ElementRules>, { profile, report }: CheckContext) {
    this.#reader = reader;
    this.#parts = parts;
    this.#profile = profile;
    this.#report = report;
  }

  open(name: string, attributes: Attributes, offset: number): void {
    if (this.#skipped > 0) this.#skipped++;
    else if (this.#narrowing) this.#narrowing.open(name, attributes, offset);
    else if (this.#stored > 0 || this.#parts.get(name)?.is === "stored") {
      this.#stored++;
      this.#reader.open(name, attributes, offset);
    } else this.#openPart({ name, attributes, offset });
  }

  close(name: string, end: number): void {
    if (this.#skipped > 0) this.#skipped--;
    else if (this.#narrowing) this.#closeNarrowing(this.#narrowing);
    else {
      if (this.#stored > 0) this.#stored--;
      else this.#path.pop();
      this.#reader.close(name, end);
    }
  }

  text(text: string): void {
    if (this.#skipped > 0) return;
    if (this.#narrowing) this.#narrowing.text(text);
    else this.#reader.text(text);
  }

  finish() {
    return this.#reader.finish();
  }

  omit(extension?: { name: string; offset: number }): void {
    this.#reader.omit?.();
    if (!extension || this.#skipped > 0 || this.#stored > 0 || !this.#isInLine()) return;
    this.#report.warn(notStored(extension.name), { offset: extension.offset, record: undefined });
  }

  readsExtensions(): boolean {
    return this.#skipped === 0 && (this.#narrowing !== undefined || this.#path.at(-1)?.element === CONTROL_ELEMENT);
  }

  #openPart(element: OpenElement): void {
    const { name, attributes, offset } = element;
    const part = this.#parts.get(name);
    if (part && isRead(part, this.#profile)) return this.#openRead(part, element);
    if (part?.is === "narrowing" || (!part && this.#isLimit(name))) {
      this.#narrowing = new NarrowingElement(name, offset);
      return this.#narrowing.open(name, attributes, offset);
    }
    this.#skipped = 1;
    this.#noteUnread(part?.is, name, offset);
  }

  /** Calls the reader first, so that it knows which line the limits belong to. */
  #openRead(part: ElementRules, { attributes, offset }: OpenElement): void {
    this.#path.push(part);
    this.#reader.open(part.element, attributes, offset);
    for (let index = 0; index < attributes.length; index++) {
      const name = attributes.nameAt(index);
      const kind = attributeKind(part, name);
      if (kind === "read") continue;
      if (kind === "narrowing") this.#narrow({ name, value: attributes.valueAt(index).trim(), offset });
      else this.#noteUnread(kind, `${part.element}/@${name}`, offset);
    }
  }

  #isInLine(): boolean {
    const parent = this.#path.at(-1);
    return parent?.limits === true && !parent.kinds.has("HotelCode");
  }

  /** Inside the element that defines what the line applies to, every unknown element limits the line. */
  #isLimit(name: string): boolean {
    const parent = this.#path.at(-1);
    return parent?.element === CONTROL_ELEMENT || (parent?.limits === true && canLimit(name, parent.kinds));
  }

  #closeNarrowing(element: NarrowingElement): void {
    if (!element.close()) return;
    const { name, offset, found } = element;
    this.#narrowing = undefined;
    for (const narrowing of found) this.#narrow(narrowing);
    // An unknown element such as `MembersOnly` may limit the line even without attributes.
    if (found.length === 0 && !this.#parts.has(name) && !isDistribution(name) && name !== EXTENSION_ELEMENT)
      this.#limit({ name, value: "", offset });
  }

  #narrow(narrowing: NarrowingAttribute): void {
    if (narrowing.value !== "") this.#limit(narrowing);
  }

  #limit(narrowing: NarrowingAttribute): void {
    const { name, offset } = narrowing;
    if (this.#profile.ignored.includes(name)) return this.#report.ignore(name);
    if (!this.#reader.narrow?.(narrowing)) this.#report.error(narrowedFault(narrowing), { offset, record: undefined });
  }

  #noteUnread(kind: ElementRules["is"], name: string, offset: number): void {
    if (kind === "harmless") return this.#report.ignore(name);
    this.omit();
    this.#report.warn(kind === "notStored" ? notStored(name) : unknownPartIgnored(name), { offset, record: undefined });
  }
}
