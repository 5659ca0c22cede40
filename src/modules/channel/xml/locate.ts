/** Line and column, both from 1, of an offset; CR, LF and CRLF end a line. */
export function locate(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  let cr = find(text, "\r", 0);
  let lf = find(text, "\n", 0);
  for (let at = Math.min(cr, lf); at < offset; at = Math.min(cr, lf)) {
    line += 1;
    start = at === cr && lf === at + 1 ? at + 2 : at + 1;
    if (cr < start) cr = find(text, "\r", start);
    if (lf < start) lf = find(text, "\n", start);
  }
  return { line, column: Math.max(1, offset - start + 1) };
}

/** Lines of millions of characters are passed over at once. */
function find(text: string, lineEnd: string, from: number): number {
  const at = text.indexOf(lineEnd, from);
  return at === -1 ? Number.POSITIVE_INFINITY : at;
}
