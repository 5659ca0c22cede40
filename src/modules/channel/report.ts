import type { Attributes } from "../../xml/handler.ts";
import { type Fault, withoutHint } from "./ota-error.ts";

/** A place in the document: the offset of an element's `<`, and the sender's own number of the line. */
export type Place = { offset: number; record: string | undefined };

/** Where something is read, and the report of its faults. */
export type Spot = { report: Report; at: Place };

/** An element that is being read. */
export type Reading = Spot & { attributes: Attributes };

export type Finding = Fault & { at: Place | undefined };

/** The most that an answer, or the log, carries. */
export const FINDINGS_SHOWN = 20;
const KEPT = 1_000;

/**
 * What is wrong or noteworthy about one message. Errors refuse the whole message, warnings go out with the success,
 * advisories and ignored parts only into the message log.
 */
export class Report {
  readonly #errors: Finding[] = [];
  /** Their texts, without what is allowed, each with its place. */
  readonly #refused = new Set<string>();
  readonly #warnings: Finding[] = [];
  /** The texts of the warnings. */
  readonly #told = new Set<string>();
  readonly #advisories = new Set<string>();
  readonly #ignored = new Set<string>();

  /** Each text is told once of a place, whatever words it allows. */
  error(fault: Fault, at?: Place): void {
    const told = `${at?.offset} ${withoutHint(fault.text)}`;
    if ((at && this.#errors.length >= KEPT) || this.#refused.has(told)) return;
    this.#refused.add(told);
    this.#errors.push({ ...fault, at });
  }

  /** Each text is told once. */
  warn(fault: Fault, at?: Place): void {
    if (this.#warnings.length >= KEPT || this.#told.has(fault.text)) return;
    this.#told.add(fault.text);
    this.#warnings.push({ ...fault, at });
  }

  advise(text: string): void {
    add(this.#advisories, text);
  }

  /** Names an element or attribute that was not used. */
  ignore(name: string): void {
    add(this.#ignored, name);
  }

  /** Gives a line the sender's own number, also in what was already found in it. */
  nameLine(line: Place, record: string | undefined): void {
    line.record = record;
    nameWithin(line, this.#errors);
    nameWithin(line, this.#warnings);
  }

  get refused(): boolean {
    return this.#errors.length > 0;
  }

  errors(): readonly Finding[] {
    return inDocumentOrder(this.#errors);
  }

  warnings(): readonly Finding[] {
    return inDocumentOrder(this.#warnings);
  }

  advisories(): readonly string[] {
    return [...this.#advisories];
  }

  ignored(): readonly string[] {
    return [...this.#ignored];
  }

  /** A copy to decide with, which leaves this one unchanged. */
  copy(): Report {
    const copy = new Report();
    copy.#errors.push(...this.#errors);
    for (const text of this.#refused) copy.#refused.add(text);
    copy.#warnings.push(...this.#warnings);
    for (const text of this.#told) copy.#told.add(text);
    for (const text of this.#advisories) copy.#advisories.add(text);
    for (const name of this.#ignored) copy.#ignored.add(name);
    return copy;
  }
}

/** While a message is read, the last findings are those of the current line. */
function nameWithin(line: Place, found: readonly Finding[]): void {
  for (let index = found.length - 1; index >= 0; index--) {
    const { at } = found[index]!;
    if (at && at.offset < line.offset) return;
    if (at) at.record ??= line.record;
  }
}

function add(texts: Set<string>, text: string): void {
  if (texts.size < 100) texts.add(text.slice(0, LONGEST_NOTE));
}

const LONGEST_NOTE = 500;

function inDocumentOrder(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((a, b) => offset(a) - offset(b)).slice(0, FINDINGS_SHOWN);
}

function offset(finding: Finding): number {
  return finding.at?.offset ?? -1;
}
