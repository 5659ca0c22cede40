/** Puts texts in the order of their code units, which is the same in every language. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
