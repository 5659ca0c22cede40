import { OTA_NAMESPACE } from "../../dialects/answer-xml.ts";
import type { Preset } from "../preset.ts";

export const alpineBits: Preset = {
  name: "alpinebits",
  about: "AlpineBits HotelData: the protocol version in the message determines all rules, so this profile changes no settings.",
  settings: {},
  example: {
    name: "alpinebits-preset",
    description: "AlpineBits 2024-10 FreeRooms: three rooms for sale.",
    transport: "alpinebits",
    action: "OTA_HotelInvCountNotif:FreeRooms",
    version: "2024-10",
    stored: "count 3",
    xml: (codes) => `<OTA_HotelInvCountNotifRQ xmlns="${OTA_NAMESPACE}" Version="4.000">
  <UniqueID Type="16" ID="1" Instance="CompleteSet"/>
  <Inventories HotelCode="${codes.hotel}">
    <Inventory>
      <StatusApplicationControl Start="${codes.day(0)}" End="${codes.day(1)}" InvTypeCode="${codes.category}"/>
      <InvCounts>
        <InvCount CountType="2" Count="3"/>
      </InvCounts>
    </Inventory>
  </Inventories>
</OTA_HotelInvCountNotifRQ>`,
  },
};
