import { formatNight, todayIn } from "../../calendar/night.ts";
import { html } from "../../web/html.ts";
import { curlCommand } from "../dev/curl.ts";
import type { CategoryKey } from "./store.ts";

const DAYS = 7;

/** Attributes of XML are escaped like those of HTML. */
const xml = html;

/** Where the channel is reached, and whether it takes messages there without a sender's name and secret. */
export type Reach = { endpoint: string; open: boolean };

/** A command for a POSIX shell that offers five rooms of a category for the seven nights from tomorrow on. */
export function firstMessage({ property, code }: CategoryKey, { endpoint, open }: Reach, now: number): string {
  const first = todayIn("UTC", now) + 1;
  const message = xml`<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0">
  <Inventories HotelCode="${property}">
    <Inventory>
      <StatusApplicationControl Start="${formatNight(first)}" End="${formatNight(first + DAYS - 1)}" InvTypeCode="${code}"/>
      <InvCounts><InvCount CountType="2" Count="5"/></InvCounts>
    </Inventory>
  </Inventories>
</OTA_HotelInvCountNotifRQ>`;
  return curlCommand({ url: endpoint, xml: message.text, open, transport: "raw" });
}
