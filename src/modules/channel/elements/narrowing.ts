/** An attribute or element that restricts a line to part of its nights, category, room or plan. `offset` is the element's position. */
export type NarrowingAttribute = { name: string; value: string; offset: number };
