import { CODE_FORMAT, isPropertyCode } from "../../../../records/property/property.ts";
import { fieldMissing, invalidWord, note, notImplemented, notSupportedValue } from "../../ota-error.ts";
import type { ElementContext } from "../../report.ts";
import { emptyRoom, type GuestRoom } from "../descriptive-content-notif/guest-room.ts";
import { readCategory, readCode } from "../parts/values.ts";

/** A `SellableProduct`, which is a category. If `isRemoved` is true, the category becomes inactive. */
export type ParsedProduct = { room: GuestRoom; isRemoved: boolean };

const STATUS_RESULTS: ReadonlyMap<string, "kept" | "removed"> = new Map([
  ["initial", "kept"],
  ["active", "kept"],
  ["modify", "kept"],
  ["deactivated", "removed"],
]);

const NOTIF_TYPE_RESULTS: ReadonlyMap<string, "kept" | "removed"> = new Map([
  ["new", "kept"],
  ["full", "kept"],
  ["overlay", "kept"],
  ["delta", "kept"],
  ["remove", "removed"],
]);

export function readProduct(reading: ElementContext): ParsedProduct {
  const { attributes, report, at } = reading;
  const code = readCategory(reading);
  checkCodes(code, reading);
  const type = attributes.get("InvType");
  if (type !== undefined && type.trim().toLowerCase() !== "room") report.error(notSupportedValue(type, "InvType", "ROOM"), at);
  if (attributes.get("Start") !== undefined || attributes.get("End") !== undefined)
    report.warn(note("Start and End of a SellableProduct are not stored; categories have no dates"), at);
  const words = [readWord("InvStatusType", STATUS_RESULTS, reading), readWord("InvNotifType", NOTIF_TYPE_RESULTS, reading)];
  return { room: { ...emptyRoom(at), code }, isRemoved: words.includes("removed") };
}

/** Refuses an `InvCode` that differs from `InvTypeCode`, because it names a physical room. */
function checkCodes(code: string | undefined, reading: ElementContext): void {
  const { report, at } = reading;
  const invCode = readCode("InvCode", reading);
  if (code === undefined) report.error(fieldMissing("InvTypeCode"), at);
  else if (!isPropertyCode(code)) report.error(invalidWord(code, "InvTypeCode", CODE_FORMAT), at);
  else if (invCode !== undefined && invCode !== code)
    report.error(
      notImplemented(`SellableProduct with InvTypeCode="${code}" and InvCode="${invCode}"`, "products are categories, not physical rooms"),
      at,
    );
}

function readWord<Word>(name: string, words: ReadonlyMap<string, Word>, { attributes, report, at }: ElementContext): Word | undefined {
  const text = attributes.get(name);
  const word = text === undefined ? undefined : words.get(text.trim().toLowerCase());
  if (text !== undefined && word === undefined) report.error(invalidWord(text, name, [...words.keys()].map(capitalize).join(", ")), at);
  return word;
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
