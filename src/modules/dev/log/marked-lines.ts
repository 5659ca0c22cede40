import type { MessageNotes } from "../../../journal/work.ts";
import { mapHtml, type Html, html } from "../../../web/html.ts";
import type { XmlLine } from "./pretty-xml.ts";

/** An error or warning at a position in a document. `at` is `line:column`; both start at 1. */
export type LineMark = { level: "error" | "warning"; at: string; text: string };

export function listMarks({ errors, warnings }: MessageNotes): LineMark[] {
  const toMarks = (notes: MessageNotes["errors"], level: LineMark["level"]) =>
    notes.flatMap(({ at, text }) => (at === undefined ? [] : [{ level, at, text }]));
  return [...toMarks(errors, "error"), ...toMarks(warnings, "warning")];
}

type MarkedDocument = { document: string; marks: readonly LineMark[]; max: number };

/** Shows up to `max` characters, with the text of each mark below its line. */
export function markedLines(lines: readonly XmlLine[], { document, marks, max }: MarkedDocument): { content: Html; isComplete: boolean } {
  const byLine = marksByLine(lines, document, marks);
  let left = max;
  const shownLines = lines.slice(0, firstBeyond(lines, max)).map(({ text }, index) => {
    const part = text.slice(0, left);
    left -= text.length + 1;
    const own = byLine.get(index);
    const end = index === lines.length - 1 ? "" : "\n";
    return own === undefined ? html`${part}${end}` : html`<mark class="${worstLevel(own)}">${part}</mark>${end}${mapHtml(own, markText)}`;
  });
  return { content: html`${shownLines}`, isComplete: left >= -1 };
}

function firstBeyond(lines: readonly XmlLine[], max: number): number {
  let length = 0;
  const index = lines.findIndex(({ text }) => (length += text.length + 1) > max + 1);
  return index === -1 ? lines.length : index + 1;
}

function markText({ level, text }: LineMark): Html {
  return html`<b class="line-note ${level}">${level}: ${text}</b>${"\n"}`;
}

function worstLevel(marks: readonly LineMark[]): LineMark["level"] {
  return marks.some(({ level }) => level === "error") ? "error" : "warning";
}

function marksByLine(lines: readonly XmlLine[], document: string, marks: readonly LineMark[]): ReadonlyMap<number, LineMark[]> {
  const marksByIndex = new Map<number, LineMark[]>();
  if (marks.length === 0) return marksByIndex;
  const lineOffsets = lineStarts(document);
  for (const mark of marks) {
    const [line = 0, column = 0] = mark.at.split(":").map(Number);
    const start = lineOffsets[line - 1];
    if (start === undefined || !(column >= 1)) continue;
    marksByIndex.getOrInsertComputed(lineAt(lines, start + column - 1), () => []).push(mark);
  }
  return marksByIndex;
}

/** Returns the offset of each line. Lines end with LF, CR or CRLF, as in error positions. */
function lineStarts(document: string): number[] {
  return [0, ...[...document.matchAll(/\r\n?|\n/g)].map(({ 0: end, index }) => index + end.length)];
}

/** Returns the index of the last shown line that starts at or before `offset`. */
function lineAt(lines: readonly XmlLine[], offset: number): number {
  const after = lines.findIndex(({ start }) => start > offset);
  return after === -1 ? lines.length - 1 : Math.max(0, after - 1);
}
