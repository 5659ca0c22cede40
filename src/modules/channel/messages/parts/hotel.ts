import { isHotelName } from "../../elements/words.ts";
import type { HotelReference } from "../../message.ts";
import { fieldMissing, ruleBroken } from "../../ota-error.ts";
import type { ElementContext, ReportContext } from "../../report.ts";
import { readCode } from "./values.ts";

export function newHotelReference(): HotelReference {
  return { code: undefined, name: undefined, at: { offset: 0, record: undefined } };
}

/** Reads the hotel from the element that contains the lines. If there is a second such element, it must name the same hotel. */
export function readHotel(hotel: HotelReference, reading: ElementContext): void {
  const { attributes } = reading;
  const code = readCode("HotelCode", reading);
  const name = attributes.get("HotelName")?.trim() || undefined;
  if (code === undefined && name === undefined) refuseOtherNames(reading);
  setHotel(hotel, { code, name }, reading);
}

/**
 * Refuses a property code with a nonstandard name. A sender with one property may omit the code, but a misnamed code could be for a
 * different property.
 */
function refuseOtherNames({ attributes, report, at }: ElementContext): void {
  for (let index = 0; index < attributes.length; index++) {
    const name = attributes.nameAt(index);
    if (isHotelName(name) && attributes.valueAt(index).trim() !== "" && name !== "HotelCode")
      report.error(fieldMissing(`HotelCode (${name} is not accepted instead)`), at);
  }
}

/** Sets the hotel. If there is a second code or name, it must be for the same hotel. */
export function setHotel(
  hotel: HotelReference,
  { code, name }: Pick<HotelReference, "code" | "name">,
  { report, at }: ReportContext,
): void {
  const isOther =
    hotel.code === undefined ? hotel.name !== undefined && name?.toLowerCase() !== hotel.name.toLowerCase() : code !== hotel.code;
  if (isOther) report.error(ruleBroken("A message must be for one hotel"), at);
  if (hotel.code === undefined) Object.assign(hotel, { code, name, at });
}
