/** Removes comments and white space from a style sheet. */
export function compactCss(text: string): string {
  const code = text.split("*/").map((part) => part.split("/*", 1)[0]!);
  return code
    .join("")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};,]) ?/g, "$1")
    .replaceAll(";}", "}")
    .replaceAll(/(?<=[{;][\w-]+): /g, ":")
    .trim();
}

/** Removes indentation, empty lines and lines with only a comment. The script must not contain multi-line template literals. */
export function compactScript(text: string): string {
  const keptLines: string[] = [];
  let isComment = false;
  for (const line of text.split("\n").map((one) => one.trim())) {
    isComment ||= line.startsWith("/**");
    if (!isComment && line !== "" && !line.startsWith("//")) keptLines.push(line);
    if (line.endsWith("*/")) isComment = false;
  }
  return `${keptLines.join("\n")}\n`;
}
