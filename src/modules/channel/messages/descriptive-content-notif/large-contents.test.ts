import assert from "node:assert/strict";
import { test } from "node:test";
import { openChannel } from "../../../../../test/support/channel.ts";
import { eachEngine } from "../../../../../test/support/databases.ts";
import { tellingPieces } from "../../../../../test/support/pieces.ts";
import type { Database } from "../../../../db/database.ts";
import { descriptiveContentNotif } from "./message.ts";

const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"';
const ROOMS = 150;

function push(hotel: string, name: string): string {
  const rooms = Array.from(
    { length: ROOMS },
    (_, room) =>
      `<GuestRoom Code="R${room}" RoomTypeName="${name} ${room}"><TypeRoom StandardOccupancy="2" RoomClassificationCode="42"/></GuestRoom>`,
  );
  return `<OTA_HotelDescriptiveContentNotifRQ ${NAMESPACE}><HotelDescriptiveContents><HotelDescriptiveContent HotelCode="${hotel}"><FacilityInfo><GuestRooms>${rooms.join("")}</GuestRooms></FacilityInfo></HotelDescriptiveContent></HotelDescriptiveContents></OTA_HotelDescriptiveContentNotifRQ>`;
}

eachEngine("A message of very many categories", (open) => {
  test("is decided in pieces before its hotel is locked, and stored whole", async () => {
    const database = await open();
    const found: ("piece" | "commit")[] = [];
    const commit: Database["commit"] = (batch) => {
      found.push("commit");
      return database.commit(batch);
    };
    const channel = openChannel({ ...database, commit }, [tellingPieces(descriptiveContentNotif, () => found.push("piece"))]);
    const { code } = await channel.hotel();
    await channel.send(push(code, "Room"));
    found.length = 0;
    assert.match((await channel.send(push(code, "Suite"))).text, /<Success/);
    assert.deepEqual(found, [...Array<string>(2 * ROOMS).fill("piece"), "commit"]);
    const categories = database.read.selectFrom("category").select("version").where("property", "=", code);
    const versions = await categories.where("name", "like", "Suite %").execute();
    assert.deepEqual(
      versions.map(({ version }) => version),
      Array(ROOMS).fill(2),
    );
  });
});
