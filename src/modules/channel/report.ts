import { firstCharacters } from "../../text.ts";
import type { Attributes } from "../../xml/handler.ts";
import { createLocator, XmlSource } from "../../xml/source.ts";
import { type Fault, withoutHint } from "./ota-error.ts";

/** A position in the document: the offset of an element's `<`, and the sender's record ID for the line, if any. */
export type SourceLocation = { offset: number; record: string | undefined };

export type ReportContext = { report: MessageReport; at: SourceLocation };

export type ElementContext = ReportContext & { attributes: Attributes };

export type ReportedFinding = Fault & { at: SourceLocation | undefined };

export const MAX_SHOWN_FINDINGS = 20;
const MAX_STORED_FINDINGS = 1_000;
const MAX_NOTES = 100;
const MAX_NOTE_LENGTH = 500;

/**
 * All findings about one message. An error refuses the message, and warnings are part of the response. Advisories and ignored parts are
 * only logged.
 */
export class MessageReport {
  readonly #errors: ReportedFinding[] = [];
  readonly #errorKeys = new Set<string>();
  readonly #warnings: ReportedFinding[] = [];
  readonly #warningTexts = new Set<string>();
  readonly #advisories = new Set<string>();
  readonly #ignored = new Set<string>();

  /** Reports each text only once per position, even if the allowed values differ. */
  error(fault: Fault, at?: SourceLocation): void {
    const key = `${at?.offset} ${withoutHint(fault.text)}`;
    if ((at && this.#errors.length >= MAX_STORED_FINDINGS) || this.#errorKeys.has(key)) return;
    this.#errorKeys.add(key);
    this.#errors.push({ ...fault, at });
  }

  warn(fault: Fault, at?: SourceLocation): void {
    if (this.#warnings.length >= MAX_STORED_FINDINGS || this.#warningTexts.has(fault.text)) return;
    this.#warningTexts.add(fault.text);
    this.#warnings.push({ ...fault, at });
  }

  advise(text: string): void {
    addNote(this.#advisories, text);
  }

  ignore(name: string): void {
    addNote(this.#ignored, name);
  }

  /** Sets the sender's record ID for a line, and adds it to earlier findings about that line. */
  labelLine(line: SourceLocation, record: string | undefined): void {
    line.record = record;
    setRecordOnFindings(line, this.#errors);
    setRecordOnFindings(line, this.#warnings);
  }

  get refused(): boolean {
    return this.#errors.length > 0;
  }

  errors(): readonly ReportedFinding[] {
    return sortByOffset(this.#errors);
  }

  warnings(): readonly ReportedFinding[] {
    return sortByOffset(this.#warnings);
  }

  advisories(): readonly string[] {
    return [...this.#advisories];
  }

  ignored(): readonly string[] {
    return [...this.#ignored];
  }

  /** Used if a message is decided twice. Each decision gets a copy of the findings from reading the message. */
  copy(): MessageReport {
    const copy = new MessageReport();
    copy.#errors.push(...this.#errors);
    copy.#warnings.push(...this.#warnings);
    for (const key of this.#errorKeys) copy.#errorKeys.add(key);
    for (const text of this.#warningTexts) copy.#warningTexts.add(text);
    for (const text of this.#advisories) copy.#advisories.add(text);
    for (const name of this.#ignored) copy.#ignored.add(name);
    return copy;
  }
}

function setRecordOnFindings(line: SourceLocation, findings: readonly ReportedFinding[]): void {
  for (let index = findings.length - 1; index >= 0; index--) {
    const { at } = findings[index]!;
    if (at && at.offset < line.offset) return;
    if (at) at.record ??= line.record;
  }
}

function addNote(notes: Set<string>, text: string): void {
  if (notes.size < MAX_NOTES) notes.add(text.slice(0, MAX_NOTE_LENGTH));
}

function sortByOffset(findings: readonly ReportedFinding[]): readonly ReportedFinding[] {
  return findings.toSorted((a, b) => findingOffset(a) - findingOffset(b)).slice(0, MAX_SHOWN_FINDINGS);
}

function findingOffset(finding: ReportedFinding): number {
  return finding.at?.offset ?? -1;
}

/** Positions of findings in the document; `undefined` if a finding concerns the whole message. */
export type FindingLocations = {
  /** Returns the sender's record ID for the line, otherwise its position. */
  id(finding: ReportedFinding): string | undefined;
  position(finding: ReportedFinding): string | undefined;
  tag(finding: ReportedFinding): string | undefined;
};

const MAX_ID_LENGTH = 64;

export function locateFindings(source = XmlSource.ofText("")): FindingLocations {
  const locate = createLocator(source.codes);
  function findingPosition({ at }: ReportedFinding): string | undefined {
    if (!at) return undefined;
    const { line, column } = locate(at.offset);
    return `${line}:${column}`;
  }
  return {
    id: (finding) => (finding.at?.record ? firstCharacters(finding.at.record, MAX_ID_LENGTH) : findingPosition(finding)),
    position: findingPosition,
    tag: ({ at }) => at && localNameAt(source, at.offset),
  };
}

function localNameAt(source: XmlSource, offset: number): string | undefined {
  return /^<(?:[^\s/>:]+:)?([^\s/>]+)/.exec(source.slice(offset, offset + 2 * MAX_ID_LENGTH))?.[1]?.slice(0, MAX_ID_LENGTH);
}
