/** The list with one more item. Most come to one, which makes a list of its own: a push into an empty list takes room for 17. */
export function added<Item>(list: Item[], item: Item): Item[] {
  if (list.length === 0) return [item];
  list.push(item);
  return list;
}
