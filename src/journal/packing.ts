import type { Database } from "../db/database.ts";
import { isLarge, keepPlain, type Packed, packLarge } from "./body.ts";
import type { Work } from "./work.ts";

/** The last message still being compressed, by property. */
const turns = new WeakMap<Database, Map<string, Promise<unknown>>>();

/** Packs the request off the event loop; messages of one property come out in the order they went in. */
export async function packInTurn(database: Database, { property, request, packed }: Work): Promise<Packed> {
  if (property === undefined) return packed ?? pack(request);
  const last = turns.getOrInsertComputed(database, () => new Map<string, Promise<unknown>>());
  const before = last.get(property);
  if (!before && !isLarge(request)) return keepPlain(request);
  const turn = Promise.all([packed ?? pack(request), before?.catch(() => {})]);
  last.set(property, turn);
  try {
    return (await turn)[0];
  } finally {
    if (last.get(property) === turn) last.delete(property);
  }
}

/** Begins to pack a request while it is still being read. */
export function packAhead(request: Uint8Array): Promise<Packed> {
  const packed = pack(request);
  packed.catch(() => {});
  return packed;
}

async function pack(request: Uint8Array): Promise<Packed> {
  return isLarge(request) ? packLarge(request) : keepPlain(request);
}
