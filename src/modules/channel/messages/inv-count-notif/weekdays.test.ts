import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../../test/support/channel.ts";

const dbl = 'InvTypeCode="DBL"';
const message = (hotel: string, line: string) =>
  `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05"><Inventories HotelCode="${hotel}">${line}</Inventories></OTA_HotelInvCountNotifRQ>`;
/** Four rooms for the week from day 3, a Monday. */
const week = (flags: string) =>
  `<Inventory><StatusApplicationControl Start="${day(3)}" End="${day(9)}" ${dbl} ${flags}/><InvCounts><InvCount CountType="2" Count="4"/></InvCounts></Inventory>`;

eachChannel("OTA_HotelInvCountNotifRQ", (channel) => {
  for (const flag of [
    'Monday="1"',
    'MON="true"',
    'mo="Y"',
    'Tues="yes"',
    'Tuesday="1"',
    'TU="1"',
    'Wed="0" Wednesday="y"',
    'thurs="TRUE"',
  ]) {
    test(`reads ${flag} as a weekday`, async () => {
      const { code, night } = await channel.hotel();
      const { text } = await channel.send(message(code, week(flag)));
      assert.match(text, /<Success\/><\//);
      const chosen = ["mo", "tu", "we", "th"].indexOf(flag.slice(0, 2).toLowerCase());
      for (let at = 0; at < 7; at++) assert.equal((await night(day(3 + at), {}))["available"], at === chosen ? 4 : undefined);
    });
  }

  test("refuses an unknown weekday", async () => {
    const { code, night } = await channel.hotel();
    for (const [flag, fault] of [
      ['Mondy="1"', "Mondy is not a day of the week; allowed: Mon, Tue, Weds, Thur, Fri, Sat, Sun"],
      ...["Thrs", "Wend", "Tusday", "Wensday", "Mondays", "OnMonday", "ApplyMon", "Sat1"].map(
        (name) => [`${name}="1"`, `${name} is not a day of the week; allowed: Mon,`] as const,
      ),
      ['Mon="maybe"', 'Invalid value "maybe" for Mon; allowed: 1, 0, true, false, Y, N'],
      ['DaysOfWeek="1100000"', 'DaysOfWeek="1100000" limits the line'],
    ] as const) {
      const { text } = await channel.send(message(code, week(flag)));
      assert.ok(text.includes(`<Errors><Error Type=`) && text.includes(`>${fault}`), text);
      assert.equal(text.match(/<Error /g)?.length, 1, text);
    }
    assert.deepEqual(await night(day(3), {}), {});
    assert.match((await channel.send(message(code, week('Month="1"')))).text, /<Success\/>/);
  });
});
