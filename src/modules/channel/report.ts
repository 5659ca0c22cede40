import { type Fault, withoutHint } from "./ota-error.ts";
import type { Attributes } from "./xml/reader.ts";

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
export type Report = {
  /** Repeats are dropped: the same text twice in a row at the same place, whatever words it allows. */
  error(fault: Fault, at?: Place): void;
  /** Each text is told once. */
  warn(fault: Fault, at?: Place): void;
  advise(text: string): void;
  /** Names an element or attribute that was not used. */
  ignore(name: string): void;
  /** Gives a line the sender's own number, also in what was already found in it. */
  nameLine(line: Place, record: string | undefined): void;
  readonly refused: boolean;
  errors(): readonly Finding[];
  warnings(): readonly Finding[];
  advisories(): readonly string[];
  ignored(): readonly string[];
  /** A copy to decide with, which leaves this one unchanged. */
  copy(): Report;
};

/** `told` are the texts of the warnings. */
type Findings = { errors: Finding[]; warnings: Finding[]; told: Set<string>; advisories: Set<string>; ignored: Set<string> };

/** An empty report. */
export function newReport(): Report {
  return reportOf({ errors: [], warnings: [], told: new Set(), advisories: new Set(), ignored: new Set() });
}

function reportOf(found: Findings): Report {
  return {
    error(fault, at) {
      const last = found.errors.at(-1);
      if (last && withoutHint(last.text) === withoutHint(fault.text) && last.at?.offset === at?.offset) return;
      if (found.errors.length < KEPT || !at) found.errors.push({ ...fault, at });
    },
    warn(fault, at) {
      if (found.warnings.length >= KEPT || found.told.has(fault.text)) return;
      found.told.add(fault.text);
      found.warnings.push({ ...fault, at });
    },
    advise: (text) => add(found.advisories, text),
    ignore: (name) => add(found.ignored, name),
    nameLine(line, record) {
      line.record = record;
      nameWithin(line, found.errors);
      nameWithin(line, found.warnings);
    },
    get refused() {
      return found.errors.length > 0;
    },
    errors: () => inDocumentOrder(found.errors),
    warnings: () => inDocumentOrder(found.warnings),
    advisories: () => [...found.advisories],
    ignored: () => [...found.ignored],
    copy: () =>
      reportOf({
        errors: [...found.errors],
        warnings: [...found.warnings],
        told: new Set(found.told),
        advisories: new Set(found.advisories),
        ignored: new Set(found.ignored),
      }),
  };
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
