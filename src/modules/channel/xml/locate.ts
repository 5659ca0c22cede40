/** Line and column, both from 1, of an offset; CR, LF and CRLF end a line. */
export function locate(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let at = 0; at < offset && at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit !== 10 && unit !== 13) continue;
    if (unit === 13 && text.charCodeAt(at + 1) === 10) at++;
    line += 1;
    start = at + 1;
  }
  return { line, column: Math.max(1, offset - start + 1) };
}
