/** As so many lines counts one for all categories, whose number is not known before it is decided: large hotels have some fifty. */
const LINES_OF_WIDE = 100;

/** How much work lines are, `wide` of which are for all categories: as many lines of one category. */
export function effortOf(lines: number, wide: number): number {
  return lines + LINES_OF_WIDE * wide;
}
