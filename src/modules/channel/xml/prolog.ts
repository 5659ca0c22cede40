/** The offset of a document type declaration before the root element; found without reading it. */
export function findDoctype(text: string): number | undefined {
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (;;) {
    while (isSpace(text.charCodeAt(at))) at += 1;
    if (text.startsWith("<?", at)) at = behind(text, "?>", at);
    else if (text.startsWith("<!--", at)) at = behind(text, "-->", at);
    else return text.slice(at, at + 9).toUpperCase() === "<!DOCTYPE" ? at : undefined;
  }
}

function behind(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from + 2);
  return found < 0 ? text.length : found + end.length;
}

function isSpace(unit: number): boolean {
  return unit === 32 || unit === 10 || unit === 13 || unit === 9;
}
