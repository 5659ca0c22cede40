import { isStrict } from "../../dialects.ts";
import type { ReadContext } from "../../message.ts";
import { ruleBroken } from "../../ota-error.ts";
import { type CategoryRead, type GuestRoom, isSingle } from "./guest-room.ts";

/**
 * Groups single rooms by category: the first `GuestRoom` of a code is the category, the others are its rooms.
 * In AlpineBits the message must describe the category of each single room.
 */
export function groupRooms(
  rooms: readonly GuestRoom[],
  { dialect, report }: Pick<ReadContext, "dialect" | "report">,
): readonly CategoryRead[] {
  const groups = new Map<string, CategoryRead>();
  let last: string | undefined;
  for (const room of rooms) {
    if (room.code === undefined) continue;
    const known = groups.get(room.code);
    if (known) known.singles.push(room);
    else if (isStrict(dialect) && last !== undefined && isSingle(room)) report.error(mismatch(room, last), room.at);
    else groups.set((last = room.code), { room, singles: [] });
  }
  return [...groups.values()];
}

function mismatch({ code, roomId }: GuestRoom, category: string) {
  return ruleBroken(`Code ${code} of the single room ${roomId} is not that of its category ${category}`);
}
