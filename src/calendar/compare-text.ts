/** Compares by code units, so the order does not depend on a locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
