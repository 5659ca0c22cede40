import { formatNight, todayIn } from "../../calendar/night.ts";
import type { MessageBodyRow, MessageRow } from "../../db/schema.ts";
import { categoryCode, propertyCode } from "./records.ts";

const REFUSED_EACH = 20;
const NIGHTS_AHEAD = 28;

/** Among so many properties and categories, with so many messages up to `now`, in milliseconds since 1970. */
type Made = { amounts: { properties: number; categories: number; messages: number }; now: number };

/** A message of the log; each twentieth was refused. */
export function messageRow(id: number, index: number, made: Made): MessageRow {
  const { amounts, now } = made;
  return {
    id,
    received_at: now - (amounts.messages - index) * 1_000,
    property: propertyOf(index, amounts),
    sender: "seed",
    via: "channel",
    transport: "raw",
    root: "OTA_HotelInvCountNotifRQ",
    action: null,
    status: 200,
    micros: 900 + (index % 500),
    request_bytes: requestOf(index, made).length,
    lines: 1,
    last_night: null,
    dry_run: 0,
    echo_token: echoToken(index),
    stamp: null,
    remote: "127.0.0.1",
    body_hash: index,
    same_as: null,
    pruned: 0,
    ...(isRefused(index) ? refused : accepted(index, made)),
  };
}

type Verdict = Pick<MessageRow, "outcome" | "answer_bytes" | "changed_nights" | "summary">;

function accepted(index: number, { amounts }: Made): Verdict {
  const summary = `${categoryOf(index, amounts)}: available ${availableOf(index)}`;
  return { outcome: "ok", answer_bytes: ANSWER.length, changed_nights: index % 4, summary };
}

/** The message that is said to have set every night of every property; its body is no longer kept. */
export function nightsRow(id: number, made: Made): MessageRow {
  return { ...messageRow(id, 1, made), property: null, echo_token: null, summary: "made-up nights of every category", pruned: 1 };
}

/** What is kept of a message and its answer. */
export function bodyRow(id: number, index: number, made: Made): MessageBodyRow {
  const body = isRefused(index) ? { answer: REFUSAL, notes: REFUSAL_NOTES } : { answer: ANSWER, notes: NOTES };
  return { message: id, encoding: "plain", request: requestOf(index, made), ...body };
}

function requestOf(index: number, { amounts, now }: Made): Buffer {
  const night = formatNight(todayIn("UTC", now) + (index % NIGHTS_AHEAD));
  const control = `<StatusApplicationControl Start="${night}" End="${night}" InvTypeCode="${categoryOf(index, amounts)}"/>`;
  const counts = `<InvCounts><InvCount CountType="2" Count="${availableOf(index)}"/></InvCounts>`;
  return Buffer.from(
    `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0" EchoToken="${echoToken(index)}">` +
      `<Inventories HotelCode="${propertyOf(index, amounts)}">` +
      `${isRefused(index) ? "" : `<Inventory>${control}${counts}</Inventory>`}</Inventories></OTA_HotelInvCountNotifRQ>`,
  );
}

const isRefused = (index: number) => index % REFUSED_EACH === 0;
const echoToken = (index: number) => `seed-${index}`;
const availableOf = (index: number) => index % 9;
const propertyOf = (index: number, { properties }: Made["amounts"]) => propertyCode(index % Math.max(1, properties));
const categoryOf = (index: number, { categories }: Made["amounts"]) => categoryCode(index % Math.max(1, categories));

const answerOf = (content: string) =>
  Buffer.from(
    `<OTA_HotelInvCountNotifRS xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0">${content}</OTA_HotelInvCountNotifRS>`,
  );

const ANSWER = answerOf("<Success/>");
const WRONG = "Required field missing: Inventory";
const REFUSAL = answerOf(`<Errors><Error Type="10" Code="321" ShortText="${WRONG}" Status="NotProcessed">${WRONG}</Error></Errors>`);
const NO_NOTES = { errors: [], warnings: [], advisories: [], ignored: [], headers: {} };
const NOTES = JSON.stringify(NO_NOTES);
const REFUSAL_NOTES = JSON.stringify({ ...NO_NOTES, errors: [{ type: 10, code: 321, text: WRONG }] });

const refused: Verdict = { outcome: "refused", answer_bytes: REFUSAL.length, changed_nights: 0, summary: WRONG };
