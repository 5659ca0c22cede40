import { formatNight, todayIn } from "../../calendar/night.ts";
import { html } from "../../web/html.ts";
import { curlCommand } from "../dev/console/curl.ts";
import type { FirstCategory } from "./store.ts";

const EXAMPLE_DAYS = 7;
const MAX_EXAMPLE_ROOMS = 5;

/** XML attributes are escaped like HTML attributes. */
const xml = html;

/** `open` is true if no credentials are needed. */
export type ChannelAccess = { endpoint: string; open: boolean };

/** Returns at most the category's number of rooms, because a higher count causes a warning. 0 rooms means that the number is unknown. */
export function firstCount({ rooms }: FirstCategory): number {
  return Math.min(rooms || MAX_EXAMPLE_ROOMS, MAX_EXAMPLE_ROOMS);
}

export function firstMessage(category: FirstCategory, { endpoint, open }: ChannelAccess, now: number): string {
  const { property, code } = category;
  const first = todayIn("UTC", now) + 1;
  const message = xml`<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0">
  <Inventories HotelCode="${property}">
    <Inventory>
      <StatusApplicationControl Start="${formatNight(first)}" End="${formatNight(first + EXAMPLE_DAYS - 1)}" InvTypeCode="${code}"/>
      <InvCounts><InvCount CountType="2" Count="${firstCount(category)}"/></InvCounts>
    </Inventory>
  </Inventories>
</OTA_HotelInvCountNotifRQ>`;
  return curlCommand({ url: endpoint, xml: message.text, open, transport: "raw" });
}
