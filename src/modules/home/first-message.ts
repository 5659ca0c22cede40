import { formatNight, todayIn } from "../../calendar/night.ts";
import { html } from "../../web/html.ts";
import { curlCommand } from "../dev/console/curl.ts";
import type { FirstCategory } from "./store.ts";

const DAYS = 7;
const MOST_ROOMS = 5;

/** Attributes of XML are escaped like those of HTML. */
const xml = html;

/** Where the channel is reached, and whether it takes messages there without a sender's name and secret. */
export type Reach = { endpoint: string; open: boolean };

/** How many rooms the first message offers: no more than there are, of which the channel would warn. Of 0 nobody told how many there are. */
export function firstCount({ rooms }: FirstCategory): number {
  return Math.min(rooms || MOST_ROOMS, MOST_ROOMS);
}

/** A command for a POSIX shell that offers rooms of a category for the seven nights from tomorrow on. */
export function firstMessage(category: FirstCategory, { endpoint, open }: Reach, now: number): string {
  const { property, code } = category;
  const first = todayIn("UTC", now) + 1;
  const message = xml`<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0">
  <Inventories HotelCode="${property}">
    <Inventory>
      <StatusApplicationControl Start="${formatNight(first)}" End="${formatNight(first + DAYS - 1)}" InvTypeCode="${code}"/>
      <InvCounts><InvCount CountType="2" Count="${firstCount(category)}"/></InvCounts>
    </Inventory>
  </Inventories>
</OTA_HotelInvCountNotifRQ>`;
  return curlCommand({ url: endpoint, xml: message.text, open, transport: "raw" });
}
