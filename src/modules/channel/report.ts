import type { Fault } from "./ota-error.ts";

/** Where something stands in the document: the offset of an element's `<`, and the sender's own number of the line. */
export type Place = { offset: number; record: string | undefined };

/** Where something is read, and who is told what is wrong with it. */
export type Spot = { report: Report; at: Place };

export type Finding = Fault & { at: Place | undefined };

/** Answers carry no more than this; so does the log. */
export const FINDINGS_SHOWN = 20;
const KEPT = 1_000;

/**
 * What is wrong or noteworthy about one message. Errors refuse the whole message; warnings go out with the success;
 * advisories and ignored parts stand in the message log alone.
 */
export type Report = {
  error(fault: Fault, at?: Place): void;
  /** The same text is told once. */
  warn(fault: Fault, at?: Place): void;
  advise(text: string): void;
  /** Names an element or attribute that was not used. */
  ignore(name: string): void;
  /** Names a line by the sender's own number, also in what was found in it before the number came. */
  nameLine(line: Place, record: string | undefined): void;
  readonly refused: boolean;
  errors(): readonly Finding[];
  warnings(): readonly Finding[];
  advisories(): readonly string[];
  ignored(): readonly string[];
  /** A copy to decide with, so that deciding leaves this one as it was. */
  copy(): Report;
};

type Findings = { errors: Finding[]; warnings: Map<string, Finding>; advisories: Set<string>; ignored: Set<string> };

/** A report of nothing. */
export function newReport(): Report {
  return reportOf({ errors: [], warnings: new Map(), advisories: new Set(), ignored: new Set() });
}

function reportOf(found: Findings): Report {
  return {
    error(fault, at) {
      if (found.errors.length < KEPT || !at) found.errors.push({ ...fault, at });
    },
    warn(fault, at) {
      if (found.warnings.size < KEPT && !found.warnings.has(fault.text)) found.warnings.set(fault.text, { ...fault, at });
    },
    advise: (text) => add(found.advisories, text),
    ignore: (name) => add(found.ignored, name),
    nameLine(line, record) {
      line.record = record;
      for (const { at } of found.errors) nameWithin(line, at);
      for (const { at } of found.warnings.values()) nameWithin(line, at);
    },
    get refused() {
      return found.errors.length > 0;
    },
    errors: () => inDocumentOrder(found.errors),
    warnings: () => inDocumentOrder([...found.warnings.values()]),
    advisories: () => [...found.advisories],
    ignored: () => [...found.ignored],
    copy: () =>
      reportOf({
        errors: [...found.errors],
        warnings: new Map(found.warnings),
        advisories: new Set(found.advisories),
        ignored: new Set(found.ignored),
      }),
  };
}

function nameWithin(line: Place, at: Place | undefined): void {
  if (at && at.offset >= line.offset) at.record ??= line.record;
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
