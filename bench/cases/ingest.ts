import type { Bench, Context } from "../bench.ts";
import { figure, type Row } from "../support/figures.ts";
import { measure } from "../support/load.ts";
import { deltaMessage, linesMessage, yearMessage } from "../support/messages.ts";
import { measureSaxes } from "../support/parse.ts";
import { checkReadBack } from "../support/read-back.ts";
import { startReference } from "../support/reference.ts";
import { addSender, startService } from "../support/service.ts";
import { compare } from "../support/versus.ts";

const PROPERTIES = 200;
const SUCCESS = "<Success/>";
const ANSWER = `<?xml version="1.0" encoding="UTF-8"?>\n<OTA_HotelInvCountNotifRS xmlns="http://www.opentravel.org/OTA/2003/05">${SUCCESS}</OTA_HotelInvCountNotifRS>`;

/** Short messages, 1 category and 1 to 3 nights, of 200 properties on 32 connections. */
export const delta: Bench = {
  name: "delta",
  engines: ["SQLite"],
  async run({ pace, engine, seeded }) {
    const store = await seeded({ properties: PROPERTIES, categories: 10, nights: 0 });
    const headers = { "content-type": "application/xml", ...addSender(store, "bench") };
    const service = await startService(store);
    const reference = await startReference({ status: 200, type: "application/xml", body: ANSWER });
    const requests = Array.from({ length: 2 * PROPERTIES }, (_, turn) => post(deltaMessage(turn % PROPERTIES, turn), headers));
    const load = { requests, connections: 32, status: 200, contains: SUCCESS };
    try {
      const versus = { name: "POST /channel, 1-3 nights", engine, service: service.url, reference: reference.url, load, target: 0.35 };
      const rows = await compare(versus, pace);
      await checkReadBack(service.url, headers);
      return rows;
    } finally {
      await reference.stop();
      await service.stop();
    }
  },
};

/** A whole year of 10 categories, as 10 ranges. */
export const year: Bench = largeMessages({
  name: "year",
  label: "POST /channel, 10 ranges x 365 nights",
  message: yearMessage,
  target: 0.1,
});

/** The same nights, a line each. */
export const lines: Bench = largeMessages({
  name: "lines",
  label: "POST /channel, 3,650 lines of a night",
  message: linesMessage,
  target: 0.7,
});

type Large = { name: string; label: string; message(property: number, turn: number): string; target: number };

function largeMessages(large: Large): Bench {
  return { name: large.name, engines: ["SQLite"], run: (context) => measureLarge(large, context) };
}

async function measureLarge({ label, message, target }: Large, { pace, engine, seeded }: Context): Promise<Row[]> {
  const store = await seeded({ properties: 8, categories: 10, nights: 0 });
  const headers = { "content-type": "application/xml", ...addSender(store, "bench") };
  const service = await startService(store);
  const requests = Array.from({ length: 16 }, (_, turn) => post(message(turn % 8, turn), headers));
  const load = { url: service.url, requests, connections: 4, status: 200, contains: SUCCESS };
  try {
    await measure({ ...load, seconds: pace.warmUpSeconds });
    const rounds: { reference: number; measured: number }[] = [];
    for (let i = 0; i < pace.rounds; i++) {
      const reference = await measureSaxes(message(0, 0), pace.seconds);
      rounds.push({ reference, measured: (await measure({ ...load, seconds: pace.seconds })).perSecond });
    }
    await checkReadBack(service.url, headers);
    const ratios = figure(rounds.map((round) => round.measured / round.reference));
    const text = (which: "reference" | "measured") => `${figure(rounds.map((round) => round[which])).median.toFixed(0)} messages/s`;
    return [
      {
        name: label,
        engine,
        measured: text("measured"),
        reference: `${text("reference")} parsed`,
        ratio: ratios.median,
        spread: ratios.spread,
        target: { at: "least", value: target },
      },
    ];
  } finally {
    await service.stop();
  }
}

function post(body: string, headers: Readonly<Record<string, string>>) {
  return { method: "POST" as const, path: "/channel", headers, body };
}
