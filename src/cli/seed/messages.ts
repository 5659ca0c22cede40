import type { MessageBodyRow, MessageRow } from "../../db/schema.ts";
import { categoryCode, propertyCode } from "./records.ts";

const REFUSED_EACH = 20;

/** Among so many properties and categories, with so many messages up to `now`, in milliseconds since 1970. */
type Made = { amounts: { properties: number; categories: number; messages: number }; now: number };

/** A message of the log; each twentieth was refused. */
export function messageRow(id: number, index: number, made: Made): MessageRow {
  const { amounts, now } = made;
  return {
    id,
    received_at: now - (amounts.messages - index) * 1_000,
    property: propertyCode(index % Math.max(1, amounts.properties)),
    sender: "seed",
    via: "channel",
    transport: "raw",
    root: "OTA_HotelInvCountNotifRQ",
    action: null,
    status: 200,
    micros: 900 + (index % 500),
    request_bytes: REQUEST.length,
    lines: 1,
    last_night: null,
    dry_run: 0,
    echo_token: `seed-${index}`,
    stamp: null,
    remote: "127.0.0.1",
    body_hash: index,
    same_as: null,
    pruned: 0,
    ...(index % REFUSED_EACH === 0 ? refused : accepted(index, made)),
  };
}

type Verdict = Pick<MessageRow, "outcome" | "answer_bytes" | "changed_nights" | "summary">;

function accepted(index: number, { amounts }: Made): Verdict {
  const summary = `${categoryCode(index % Math.max(1, amounts.categories))}: available ${index % 9}`;
  return { outcome: "ok", answer_bytes: ANSWER.length, changed_nights: index % 4, summary };
}

/** The message that is said to have set every night; its body is no longer kept. */
export function nightsRow(id: number, made: Made): MessageRow {
  return { ...messageRow(id, 1, made), echo_token: null, summary: "made-up nights of every category", pruned: 1 };
}

/** What is kept of a message and its answer. */
export function bodyRow({ id, outcome }: Pick<MessageRow, "id" | "outcome">): MessageBodyRow {
  const body = outcome === "refused" ? { answer: REFUSAL, notes: REFUSAL_NOTES } : { answer: ANSWER, notes: NOTES };
  return { message: id, encoding: "plain", request: REQUEST, ...body };
}

const answerOf = (content: string) =>
  Buffer.from(
    `<OTA_HotelInvCountNotifRS xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0">${content}</OTA_HotelInvCountNotifRS>`,
  );

const REQUEST = Buffer.from('<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"/>');
const ANSWER = answerOf("<Success/>");
const WRONG = "Required field missing: Inventory";
const REFUSAL = answerOf(`<Errors><Error Type="10" Code="321" ShortText="${WRONG}" Status="NotProcessed">${WRONG}</Error></Errors>`);
const NO_NOTES = { errors: [], warnings: [], advisories: [], ignored: [], headers: {} };
const NOTES = JSON.stringify(NO_NOTES);
const REFUSAL_NOTES = JSON.stringify({ ...NO_NOTES, errors: [{ type: 10, code: 321, text: WRONG }] });

const refused: Verdict = { outcome: "refused", answer_bytes: REFUSAL.length, changed_nights: 0, summary: WRONG };
