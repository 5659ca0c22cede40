/** One word of a POSIX shell. */
export function shellQuote(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Feeds a text to a command as its standard input. A page turns each end of a line into `\n`, so no line is the mark by any of them. */
export function hereDocument(command: string, text: string): string {
  let mark = "XML";
  while (text.split(/\r\n?|\n/).includes(mark)) mark += "_";
  return `${command} <<'${mark}'\n${text.replace(/\n$/, "")}\n${mark}`;
}
