/** One word of a POSIX shell. */
export function shellQuote(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Feeds a text to a command as its standard input. */
export function hereDocument(command: string, text: string): string {
  let mark = "XML";
  while (text.split("\n").includes(mark)) mark += "_";
  return `${command} <<'${mark}'\n${text.replace(/\n$/, "")}\n${mark}`;
}
