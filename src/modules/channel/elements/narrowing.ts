/** An attribute or element that restricts a line to part of its nights, category, room or plan. `offset` is the element's position. */
export type Narrowing = { name: string; value: string; offset: number };
