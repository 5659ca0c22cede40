/** Compares by UTF-16 code units, so the order doesn't depend on the locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
