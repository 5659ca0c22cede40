/** A whole number with a comma between its thousands. `Intl` would load the words of a language for it, a twentieth of a start. */
export function amount(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

/** Such as `1 night` and `2,000 nights`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${amount(count)} ${count === 1 ? one : many}`;
}

/** Such as `3 supplements, 1 offer`: a list for each name, empty ones left out. */
export function countedEach(lists: Readonly<Record<string, readonly unknown[]>>): string {
  const filled = Object.entries(lists).filter(([, list]) => list.length > 0);
  return filled.map(([one, list]) => counted(list.length, one)).join(", ");
}
