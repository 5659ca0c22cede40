const english = new Intl.NumberFormat("en");

/** A number with a comma between its thousands. One formatter serves all: `toLocaleString` takes twenty times as long. */
export function amount(count: number): string {
  return english.format(count);
}
