import type { Example, ExampleCodes } from "../../example.ts";

export const examples: readonly Example[] = [
  {
    name: "json-availability",
    description: "Makes three rooms of a category available on Mondays and Tuesdays for two weeks.",
    transport: "json",
    xml: (codes) =>
      valuesJson({ ...roomJson(codes), date_from: codes.day(0), date_to: codes.day(13), days: ["mo", "tu"], availability: 3 }),
  },
  {
    name: "json-rates-and-restrictions",
    description: "Sets prices by number of guests and stay limits for a plan. A string is a decimal amount; an integer is in minor units.",
    transport: "json",
    xml: (codes) =>
      valuesJson(
        {
          ...roomJson(codes),
          rate_plan_id: codes.plan,
          date_from: codes.day(0),
          date_to: codes.day(9),
          rates: [
            { occupancy: 1, rate: "100.00" },
            { occupancy: 2, rate: 12050 },
          ],
        },
        {
          property_id: codes.hotel,
          rate_plan_id: codes.plan,
          date: codes.day(4),
          min_stay_arrival: 2,
          max_stay: 14,
          closed_to_arrival: true,
        },
      ),
  },
  {
    name: "json-unknown-field",
    description: "A field that is not stored causes a warning.",
    transport: "json",
    expect: "warnings",
    xml: (codes) => valuesJson({ ...roomJson(codes), date: codes.day(0), availability: 3, max_sell: 2 }),
  },
  {
    name: "json-for-one-channel",
    description:
      "Refused: the value has a field that may limit it. If the field were ignored, the value would apply more broadly than intended.",
    transport: "json",
    expect: { refused: 450 },
    xml: (codes) => valuesJson({ ...roomJson(codes), date: codes.day(0), stop_sell: true, channel_id: "AAA" }),
  },
  {
    name: "json-fraction",
    description: "Refused: the rate is a number with a fraction. Decimals must be sent as a string.",
    transport: "json",
    expect: { refused: 320 },
    xml: (codes) => valuesJson({ ...roomJson(codes), rate_plan_id: codes.plan, date: codes.day(0), rate: 120.5 }),
  },
];

function roomJson({ hotel, category }: ExampleCodes) {
  return { property_id: hotel, room_type_id: category };
}

function valuesJson(...list: readonly object[]): string {
  return `${JSON.stringify({ values: list }, undefined, 2)}\n`;
}
