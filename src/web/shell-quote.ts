/** One word of a POSIX shell. */
export function shellQuote(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Feeds a text to a command's standard input. No line equals the mark, by any line end: a page turns each into `\n`. */
export function hereDocument(command: string, text: string): string {
  let mark = "XML";
  while (text.split(/\r\n?|\n/).includes(mark)) mark += "_";
  return `${command} <<'${mark}'\n${text.replace(/\n$/, "")}\n${mark}`;
}
