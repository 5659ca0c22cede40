/** An attribute or element that limits a line to less than nights, category, room and plan; `offset` is the position of its element. */
export type Narrowing = { name: string; value: string; offset: number };
