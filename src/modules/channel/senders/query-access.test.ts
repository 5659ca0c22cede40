import assert from "node:assert/strict";
import { before, test } from "node:test";
import { type Channel, day, openChannel } from "../../../../test/support/channel.ts";
import { eachEngine } from "../../../../test/support/databases.ts";
import { addSender } from "../../../../test/support/senders.ts";

const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"';

/** Queries with `%` in place of the property's attributes. */
const QUERIES: Readonly<Record<string, string>> = {
  OTA_HotelAvailGetRQ: "<HotelAvailRequests><HotelAvailRequest><HotelRef %/></HotelAvailRequest></HotelAvailRequests>",
  OTA_HotelInvCountRQ: "<HotelInvCountRequests><HotelInvCountRequest><HotelRef %/></HotelInvCountRequest></HotelInvCountRequests>",
  OTA_HotelRatePlanRQ: "<RatePlans><RatePlan><HotelRef %/></RatePlan></RatePlans>",
  OTA_HotelDescriptiveInfoRQ: "<HotelDescriptiveInfos><HotelDescriptiveInfo %/></HotelDescriptiveInfos>",
  OTA_HotelAvailRQ:
    '<AvailRequestSegments><AvailRequestSegment AvailReqType="Room"><HotelSearchCriteria><Criterion><HotelRef %/></Criterion></HotelSearchCriteria></AvailRequestSegment></AvailRequestSegments>',
  OTA_HotelRoomListRQ: "<HotelRoomLists><HotelRoomList %/></HotelRoomLists>",
  OTA_HotelProductRQ: "<HotelProducts><HotelProduct %/></HotelProducts>",
};

eachEngine("Queries from a sender with access to one property", (open) => {
  let channel: Channel;
  let mine: string;
  let other: string;
  let authorization: string;
  before(async () => {
    channel = openChannel(await open());
    mine = (await channel.hotel({ name: "Mine" })).code;
    other = (await channel.hotel({ name: "Other" })).code;
    for (const code of [mine, other]) {
      const line = `<AvailStatusMessage BookingLimit="3"><StatusApplicationControl Start="${day(1)}" InvTypeCode="DBL"/></AvailStatusMessage>`;
      await channel.send(
        `<OTA_HotelAvailNotifRQ ${NAMESPACE}><AvailStatusMessages HotelCode="${code}">${line}</AvailStatusMessages></OTA_HotelAvailNotifRQ>`,
      );
    }
    const secret = await addSender(channel.database, { name: "bound", hotels: [mine] });
    authorization = `Basic ${Buffer.from(`bound:${secret}`).toString("base64")}`;
  });

  for (const [root, content] of Object.entries(QUERIES)) {
    const ask = async (property: string) => {
      const body = `<${root} ${NAMESPACE}>${content.replace("%", property)}</${root}>`;
      return (await channel.post({ body, headers: { authorization } })).text;
    };

    test(`returns only the sender's own property for ${root}`, async () => {
      assert.match(await ask(`HotelCode="${mine}"`), /<Success\/>/);
      const [existing, unknown] = [await ask(`HotelCode="${other}"`), await ask('HotelCode="NONE"')];
      assert.match(existing, /<Errors><Error Type="6" Code="497"[^>]*>You do not have access to hotel /);
      assert.doesNotMatch(existing, /DBL|SGL|Other/);
      assert.equal(existing.replaceAll(other, "NONE"), unknown, "the response does not reveal whether a property exists");
      const [named, unnamed] = [await ask('HotelName="Other"'), await ask('HotelName="None"')];
      assert.equal(named.replaceAll("Other", "None"), unnamed);
      assert.match(await ask('HotelName="Mine"'), /<Success\/>/);
      assert.match(await ask(""), /<Success\/>/, "a query without a property means the sender's own");
    });
  }
});
