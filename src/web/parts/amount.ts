/** Formats a whole number with commas. Doesn't use `Intl`, because loading its locale data would account for 5% of the startup time. */
export function formatNumber(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

export function listCounts(lists: Readonly<Record<string, readonly unknown[]>>): string {
  const filledLists = Object.entries(lists).filter(([, list]) => list.length > 0);
  return filledLists.map(([one, list]) => formatCount(list.length, one)).join(", ");
}
