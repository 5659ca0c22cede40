import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../../test/support/channel.ts";

const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="2.0"';
const rooms = (hotel: string, attributes = 'AvailReqType="Room"', more = "") =>
  `<OTA_HotelAvailRQ ${NAMESPACE}><AvailRequestSegments><AvailRequestSegment ${attributes}>${more}<HotelSearchCriteria><Criterion><HotelRef HotelCode="${hotel}"/></Criterion></HotelSearchCriteria></AvailRequestSegment></AvailRequestSegments></OTA_HotelAvailRQ>`;
const roomList = (hotel: string) =>
  `<OTA_HotelRoomListRQ ${NAMESPACE}><HotelRoomLists><HotelRoomList HotelCode="${hotel}"/></HotelRoomLists></OTA_HotelRoomListRQ>`;
const products = (hotel: string) =>
  `<OTA_HotelProductRQ ${NAMESPACE}><HotelProducts><HotelProduct HotelCode="${hotel}"/></HotelProducts></OTA_HotelProductRQ>`;
const plans = (hotel: string, content: string) =>
  `<OTA_HotelRatePlanNotifRQ ${NAMESPACE}><RatePlans HotelCode="${hotel}">${content}</RatePlans></OTA_HotelRatePlanNotifRQ>`;
const plan = (code: string, categories: readonly string[], from = 0) => {
  const rates = categories.map(
    (category) =>
      `<Rate InvTypeCode="${category}" Start="${day(from)}" End="${day(from + 3)}"><BaseByGuestAmts><BaseByGuestAmt AmountAfterTax="90"/></BaseByGuestAmts></Rate>`,
  );
  return `<RatePlan RatePlanCode="${code}" RatePlanNotifType="New"><Rates>${rates.join("")}</Rates></RatePlan>`;
};
/** The category/plan pairs in a response. */
const pairsIn = (text: string) =>
  [...text.matchAll(/<RoomType [^>]*(?:RoomTypeCode|RoomID)="([^"]+)".*?(?=<RoomType |$)/g)].flatMap(([part, category]) => {
    const codes = [...part.matchAll(/<RatePlan RatePlan(?:Code|ID)="([^"]+)"/g)].map(([, code]) => `${category}/${code}`);
    return codes.length === 0 ? [category!] : codes;
  });

eachChannel("Category and plan lists for mapping", (channel) => {
  test("lists the active categories and their plans", async () => {
    const { code } = await channel.hotel();
    await channel.send(plans(code, plan("BAR", ["DBL", "SGL"]) + plan("FAM", ["DBL"])));
    const close = `<AvailStatusMessage><StatusApplicationControl InvTypeCode="SGL" RatePlanCode="NRF" Start="${day(1)}"/><RestrictionStatus Status="Close"/></AvailStatusMessage>`;
    await channel.send(
      `<OTA_HotelAvailNotifRQ ${NAMESPACE}><AvailStatusMessages HotelCode="${code}">${close}</AvailStatusMessages></OTA_HotelAvailNotifRQ>`,
    );
    for (const xml of [rooms(code), roomList(code), products(code)]) {
      const { text, receipt } = await channel.send(xml);
      assert.deepEqual(pairsIn(text), ["DBL/BAR", "DBL/FAM", "SGL/BAR", "SGL/NRF"], text);
      assert.equal(receipt!.verdict.outcome, "ok");
    }
  });

  test("returns the list in the response format of each request type", async () => {
    const { code } = await channel.hotel({}, { max_adults: 3 });
    await channel.send(plans(code, plan("BAR", ["DBL"])));
    const body = async (xml: string) => /<Success\/>(.*)<\/OTA_/.exec((await channel.send(xml)).text)![1]!;
    const hotel = `<BasicPropertyInfo HotelCode="${code}" HotelName="Hotel"/>`;
    const stay = (name: string) => `<RoomTypes><RoomType RoomTypeCode="${name}"><RoomDescription Name="${name}"/></RoomType></RoomTypes>`;
    const rate = '<RatePlans><RatePlan RatePlanCode="BAR" RatePlanName="BAR"><RatePlanDescription Name="BAR"/></RatePlan></RatePlans>';
    assert.equal(
      await body(rooms(code)),
      `<RoomStays><RoomStay>${stay("DBL")}${rate}${hotel}</RoomStay><RoomStay>${stay("SGL")}${hotel}</RoomStay></RoomStays>`,
    );
    const room = (name: string) =>
      `<RoomTypes><RoomType IsRoom="true" RoomID="${name}"><RoomDescription Name="${name}"/></RoomType></RoomTypes>`;
    assert.equal(
      await body(roomList(code)),
      `<HotelRoomLists><HotelRoomList HotelCode="${code}"><RoomStays><RoomStay>${room("DBL")}<RatePlans><RatePlan RatePlanID="BAR" RatePlanName="BAR"/></RatePlans></RoomStay><RoomStay>${room("SGL")}</RoomStay></RoomStays></HotelRoomList></HotelRoomLists>`,
    );
    const product = (name: string) =>
      `<RoomTypes><RoomType RoomTypeCode="${name}" RoomTypeName="${name}" MaxOccupancy="4" MaxAdultOccupancy="3"/></RoomTypes>`;
    assert.equal(
      await body(products(code)),
      `<HotelProducts HotelCode="${code}" HotelName="Hotel"><HotelProduct>${product("DBL")}<RatePlans><RatePlan RatePlanCode="BAR" RatePlanName="BAR"/></RatePlans></HotelProduct><HotelProduct>${product("SGL")}</HotelProduct></HotelProducts>`,
    );
  });

  test("lists new plans under every category, but no removed plans or inactive categories", async () => {
    const { code } = await channel.hotel();
    await channel.send(plans(code, plan("NEW", []) + plan("OLD", ["DBL"])));
    assert.deepEqual(pairsIn((await channel.send(products(code))).text), ["DBL/NEW", "DBL/OLD", "SGL/NEW"]);
    await channel.send(plans(code, '<RatePlan RatePlanNotifType="Remove" RatePlanCode="OLD"/>'));
    await channel.database.write
      .updateTable("category")
      .set({ status: "inactive" })
      .where("property", "=", code)
      .where("code", "=", "SGL")
      .execute();
    assert.deepEqual(pairsIn((await channel.send(products(code))).text), ["DBL/NEW"]);
  });

  test("refuses an availability search", async () => {
    const { code } = await channel.hotel();
    const error = async (xml: string) =>
      /<Error Type="(\d+)" Code="(\d+)"[^>]*>([^<]+)</
        .exec((await channel.send(xml)).text)
        ?.slice(1)
        .join(" ");
    const search = rooms(code, 'AvailReqType="Room"', `<StayDateRange Start="${day(0)}" End="${day(1)}"/>`);
    assert.match((await error(search))!, /^2 450 OTA_HotelAvailRQ with StayDateRange is not implemented: /);
    const guests = rooms(
      code,
      'AvailReqType="Room"',
      "<RoomStayCandidates><RoomStayCandidate><GuestCounts/></RoomStayCandidate></RoomStayCandidates>",
    );
    assert.match((await error(guests))!, /^2 450 OTA_HotelAvailRQ with RoomStayCandidates is not implemented: /);
    assert.equal(await error(rooms(code, 'AvailReqType="Both"')), '2 450 AvailReqType="Both" is not supported; allowed: Room');
    assert.equal(await error(rooms(code, "")), "10 321 Required field missing: AvailReqType");
  });

  test("warns about unsupported filters in a request for a list", async () => {
    const { code } = await channel.hotel();
    const { text } = await channel.send(
      products(code).replace("/></HotelProducts>", '><RoomTypes><RoomType RoomTypeCode="DBL"/></RoomTypes></HotelProduct></HotelProducts>'),
    );
    assert.match(text, /<Warnings><Warning [^>]*>RoomTypes was ignored and does not limit this response<\/Warning><\/Warnings>/);
  });

  test("accepts the property code on HotelProducts", async () => {
    const { code } = await channel.hotel();
    const xml = products(code)
      .replace("<HotelProducts>", `<HotelProducts HotelCode="${code}">`)
      .replace(/<HotelProduct [^>]*>/, "<HotelProduct/>");
    assert.deepEqual(pairsIn((await channel.send(xml)).text), ["DBL", "SGL"]);
  });
});
