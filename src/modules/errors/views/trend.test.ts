import assert from "node:assert/strict";
import { test } from "node:test";

// The time zone is read when the modules are loaded.
process.env.TZ = "Europe/Rome";
const { startApp } = await import("../../../../test/support/app.ts");

type Shown = { inGroup: { count: number; days: { day: string; count: number }[] } };

/** Daylight saving time starts on 2026-03-29 and ends on 2026-10-25. */
const TRANSITIONS = [
  { noon: "2026-03-29T12:00:00+02:00", soon: "2026-03-30T00:30:00+02:00", first: "2026-03-03", last: "2026-03-30" },
  { noon: "2026-10-24T12:00:00+02:00", soon: "2026-10-25T23:30:00+01:00", first: "2026-09-28", last: "2026-10-25" },
];

for (const { noon, soon, first, last } of TRANSITIONS) {
  test(`a group shows 28 different days on ${last}, around a daylight saving change`, async () => {
    await using service = await startApp({ now: Date.parse(noon) });
    await service.inject("/nowhere");
    service.clock.set(Date.parse(soon));
    await service.inject("/nowhere");
    const [newest] = (await service.inject("/tools/errors?format=json")).json<{ errors: { id: number }[] }>().errors;
    const { days } = (await service.inject(`/tools/errors/${newest!.id}?format=json`)).json<Shown>().inGroup;
    assert.equal(days.length, 28);
    assert.deepEqual([days[0]!.day, days.at(-1)!.day], [first, last]);
    assert.deepEqual(
      days.slice(-2).map(({ count }) => count),
      [1, 1],
    );
  });
}
