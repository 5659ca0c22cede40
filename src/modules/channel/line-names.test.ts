import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../test/support/channel.ts";

const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05"';
const ID = '<UniqueID Type="16" ID="4711"/>';
const control = (from: number, to: number) => `<StatusApplicationControl Start="${day(from)}" End="${day(to)}" InvTypeCode="DBL"/>`;

const MESSAGES: Readonly<Record<string, (hotel: string) => string>> = {
  counts: (hotel) =>
    `<OTA_HotelInvCountNotifRQ ${NAMESPACE}><Inventories HotelCode="${hotel}"><Inventory>${control(1, 2)}<InvCounts/></Inventory><Inventory>${ID}${control(5, 3)}</Inventory></Inventories></OTA_HotelInvCountNotifRQ>`,
  amounts: (hotel) =>
    `<OTA_HotelRateAmountNotifRQ ${NAMESPACE}><RateAmountMessages HotelCode="${hotel}"><RateAmountMessage>${ID}${control(5, 3)}<Rates><Rate><BaseByGuestAmts><BaseByGuestAmt AmountAfterTax="80"/></BaseByGuestAmts></Rate></Rates></RateAmountMessage></RateAmountMessages></OTA_HotelRateAmountNotifRQ>`,
};

eachChannel("The sender's record ID for a line", (channel) => {
  for (const [kind, xml] of Object.entries(MESSAGES)) {
    test(`returns the sender's record ID in the line's errors: ${kind}`, async () => {
      const { code } = await channel.hotel();
      const { text } = await channel.send(xml(code));
      assert.deepEqual(
        [...text.matchAll(/<Error [^>]*RecordID="([^"]*)"/g)].map(([, record]) => record),
        ["4711"],
        text,
      );
    });
  }
});
