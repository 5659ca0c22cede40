/** Removes comments and white space from a style sheet. */
export function compactCss(text: string): string {
  return text
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};,]) ?/g, "$1")
    .replaceAll(";}", "}")
    .replaceAll(/(?<=[{;][\w-]+): /g, ":")
    .trim();
}

/** Removes comments that have lines of their own, and indentation. Lines of a template literal must not be indented. */
export function compactScript(text: string): string {
  return text
    .replaceAll(/^\s*\/\*\*.*?\*\/$/gms, "")
    .replaceAll(/^\s*\/\/.*$/gm, "")
    .replaceAll(/\n\s*/g, "\n")
    .trimStart();
}
