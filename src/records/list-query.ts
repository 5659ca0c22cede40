/** A search with an order and a page. */
export type ListQuery = { q: string; sort: string; direction: "asc" | "desc"; page: number; size: number };
