import type { Codes, Source } from "./source.ts";

/** A line and a column, both from 1. */
export type Located = { line: number; column: number };

const [LF, CR] = [10, 13] as const;

/** Line and column of an offset; CR, LF and CRLF end a line. */
export function locate({ codes }: Source, offset: number): Located {
  return locatorOf(codes)(offset);
}

/** As `locate`, for several offsets of one text: it goes on from the last offset when the next lies behind it. */
export function locatorOf(codes: Codes): (offset: number) => Located {
  let line = 1;
  let start = 0;
  return (offset) => {
    if (offset < start) [line, start] = [1, 0];
    let cr = find(codes, CR, start);
    let lf = find(codes, LF, start);
    for (let at = Math.min(cr, lf); at < offset; at = Math.min(cr, lf)) {
      line += 1;
      start = at === cr && lf === at + 1 ? at + 2 : at + 1;
      if (cr < start) cr = find(codes, CR, start);
      if (lf < start) lf = find(codes, LF, start);
    }
    return { line, column: Math.max(1, offset - start + 1) };
  };
}

/** `indexOf` passes lines of millions of characters at once. */
function find(codes: Codes, lineEnd: number, from: number): number {
  const at = codes.indexOf(lineEnd, from);
  return at === -1 ? Number.POSITIVE_INFINITY : at;
}
