import type { PropertyRow } from "../../../../db/schema.ts";
import { writeElement, writeEmptyElement } from "../../../../xml/write.ts";
import type { Decision, DecisionContext } from "../../message.ts";
import { InfoCode } from "../parts/code-lists.ts";
import { warnOfOmission } from "../parts/pull.ts";
import { writeText } from "./write.ts";

/** Writes the property's record in the order that the AlpineBits schema requires. Omits unknown values. */
export function writePropertyInfo(context: DecisionContext): Decision {
  const { property } = context;
  const parts = writeHotelInfo(property) + writePolicies(property) + writeContact(context);
  const content = writeElement("HotelDescriptiveContent", { HotelCode: property.code, HotelName: property.name }, parts);
  return { summary: "Property returned", content: writeElement("HotelDescriptiveContents", {}, content) };
}

function writeHotelInfo(property: PropertyRow): string {
  const { latitude, longitude } = property;
  const position =
    latitude === null || longitude === null ? "" : writeEmptyElement("Position", { Latitude: latitude, Longitude: longitude });
  return wrapElement("HotelInfo", writeStars(property) + writeDescription(property) + position);
}

/** AlpineBits writes half stars as superior, such as `4s`. */
function writeStars({ stars }: PropertyRow): string {
  if (stars === null) return "";
  const detail = `Stars:${Math.floor(stars)}${Number.isInteger(stars) ? "" : "s"}`;
  return writeElement("CategoryCodes", {}, writeEmptyElement("HotelCategory", { CodeDetail: detail }));
}

function writeDescription({ description, languages }: PropertyRow): string {
  const text = writeText(InfoCode.description, description ?? "", languages?.slice(0, 2) ?? "en");
  return wrapElement("Descriptions", wrapElement("MultimediaDescriptions", text));
}

function writePolicies({ check_in_from, check_in_until, check_out_until }: PropertyRow): string {
  const stayTimesXml = writeStay("Checkin", check_in_from, check_in_until) + writeStay("Checkout", null, check_out_until);
  return wrapElement("Policies", wrapElement("Policy", wrapElement("StayRequirements", stayTimesXml)));
}

function writeStay(context: string, start: string | null, end: string | null): string {
  if (start === null && end === null) return "";
  const withSeconds = (time: string | null) => (time === null ? undefined : `${time}:00`);
  return writeEmptyElement("StayRequirement", { StayContext: context, Start: withSeconds(start), End: withSeconds(end) });
}

/** OpenTravel codes: hotel direct contact (CON), property email (EAT), voice (PTT). */
const [DIRECT_CONTACT, PROPERTY_EMAIL, VOICE_PHONE] = ["6", "5", "1"];

function writeContact(context: DecisionContext): string {
  const { email, website } = context.property;
  const otherContacts = context.dialect.returnsWebsiteOnly
    ? ""
    : writeAddress(context) +
      writePhone(context) +
      wrapElement("Emails", email === null ? "" : writeElement("Email", { EmailType: PROPERTY_EMAIL }, { text: email }));
  const site = website === null ? "" : writeElement("URL", { ID: "WEBSITE" }, { text: website });
  const contact = otherContacts + wrapElement("URLs", site);
  return contact === "" ? "" : writeElement("ContactInfos", {}, writeElement("ContactInfo", { Location: DIRECT_CONTACT }, contact));
}

const MAX_CITY_LENGTH = 64;
const MAX_POSTAL_CODE_LENGTH = 16;

/** Writes the address. The schema requires street, city and postal code, and limits their lengths. */
function writeAddress(context: DecisionContext): string {
  const { street, city, postal_code: postal, region, country } = context.property;
  if (street === null && city === null && postal === null) return "";
  if (!street || !city || !postal || city.length > MAX_CITY_LENGTH || postal.length > MAX_POSTAL_CODE_LENGTH) {
    warnOfOmission(context, "the address, which must have a street, a city of up to 64 and a postal code of up to 16 characters");
    return "";
  }
  const lines =
    writeElement("AddressLine", {}, { text: street }) +
    writeElement("CityName", {}, { text: city }) +
    writeElement("PostalCode", {}, { text: postal });
  const state = region === null ? "" : writeEmptyElement("StateProv", { StateCode: region });
  return writeElement(
    "Addresses",
    {},
    writeElement("Address", {}, lines + state + (country === null ? "" : writeEmptyElement("CountryName", { Code: country }))),
  );
}

function writePhone(context: DecisionContext): string {
  const { phone } = context.property;
  if (phone === null) return "";
  const number = phone.replaceAll(/[\s()./-]/g, "");
  if (/^\+?\d+$/.test(number))
    return writeElement("Phones", {}, writeEmptyElement("Phone", { PhoneTechType: VOICE_PHONE, PhoneNumber: number }));
  warnOfOmission(context, `the phone number ${phone}, which has characters other than digits`);
  return "";
}

function wrapElement(name: string, content: string): string {
  return content === "" ? "" : writeElement(name, {}, content);
}
