import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../../db/database.ts";
import { packAnswer } from "../../../journal/body.ts";
import { readDirectory } from "../../../journal/directory.ts";
import { readPages } from "../../../journal/reading.ts";
import type { Directory } from "../../../journal/work.ts";
import { atOnce, inPieces, type Pieces } from "../../../pieces.ts";
import type { Admitted } from "../exchange.ts";
import { MANY_LINES, MAX_LINES } from "../limits.ts";
import type { HotelRequest } from "../message.ts";
import { applyAhead } from "./apply-ahead.ts";
import { type Decided, decideRequest, isLate, refuseLate } from "./ruling.ts";
import { storablePages } from "./storable-pages.ts";

type Asked = { request: HotelRequest; hotel: string | undefined };
type Decide = (directory: Directory) => Pieces<Decided>;

/**
 * What decides the request under the lock of its hotel, where nobody else is served. Of many lines most is done before, in pieces:
 * they are decided, what they set is applied to the pages, and a long answer is packed.
 */
export async function deciderOf(
  database: Database,
  admitted: Admitted,
  { request, hotel }: Asked,
): Promise<(directory: Directory) => Decided> {
  const decide: Decide = (directory) => decideRequest(admitted, request, { hotel, directory });
  const isAhead = hotel !== undefined && isLong(request) && !isLate(admitted);
  const ahead = isAhead ? await decideAhead(database, decide, { request, hotel, now: admitted.startedAt }) : undefined;
  return (directory) => refuseLate(admitted) ?? ahead?.(directory) ?? atOnce(decide(directory));
}

/** Whether most of a request is decided in pieces. */
export function isLong({ lines, effort = lines }: HotelRequest): boolean {
  return effort > MANY_LINES && lines <= MAX_LINES;
}

/** Answers the decision only for the directory that it was made with; should that have changed meanwhile, there is none. */
async function decideAhead(
  database: Database,
  decide: Decide,
  { request, hotel, now }: { request: HotelRequest; hotel: string; now: number },
): Promise<(directory: Directory) => Decided | undefined> {
  const then = await readDirectory(database, hotel, request);
  const decided = await inPieces(decide(then));
  const { operations, reply } = decided;
  const packedAnswer = await packAnswer(reply.body);
  const pages = operations.length === 0 ? [] : await readPages(database, hotel, storablePages(request, now));
  const ahead = await inPieces(applyAhead(pages, operations));
  return (directory) => (isDeepStrictEqual(directory, then) ? { ...decided, ahead, packedAnswer } : undefined);
}
