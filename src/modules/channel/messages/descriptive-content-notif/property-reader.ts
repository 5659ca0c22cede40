import type { SourceLocation, ElementContext } from "../../report.ts";
import { parseBoolean } from "../parts/values.ts";
import type { PropertyField, ParsedProperty, SentGroup, SentValue } from "./property-read.ts";
import { readStayTime } from "./stay-times.ts";

/** Elements that describe the property itself, not its rooms. */
export const PROPERTY_PARTS: ReadonlySet<string> = new Set([
  "AffiliationInfo",
  "Policies",
  "ContactInfos",
  "HotelInfo",
  "MultimediaDescriptions",
]);

const ADDRESS_LINES: Readonly<Record<string, PropertyField>> = {
  AddressLine: "street",
  StreetNmbr: "street",
  CityName: "city",
  PostalCode: "postalCode",
  StateProv: "region",
  CountryName: "country",
};

/** The attribute that takes precedence over an element's text, by element name. */
const ADDRESS_CODES: Readonly<Record<string, string>> = { StateProv: "StateCode", CountryName: "Code" };

/** Ranks of OpenTravel information types (INF): description and short description. Descriptions without a type rank between these two. */
const DESCRIPTION_RANKS: Readonly<Record<string, number>> = { "1": 0, "17": 2 };
const DESCRIPTION_ELEMENTS: ReadonlySet<string> = new Set(["Description", "Text", "DescriptiveText"]);
const MEDIA_ELEMENTS: ReadonlySet<string> = new Set(["ImageItem", "VideoItem"]);

/** Fax in OpenTravel code list PTT (phone technology types). */
const FAX = "3";

/** Reads one part, such as `HotelInfo`, starting with its start tag. */
export class PropertyReader {
  readonly #read: ParsedProperty;
  readonly #part: string;
  readonly #path: string[] = [];
  #address: SentGroup | undefined;
  #contact = { general: 1, located: 1 };
  #infoCode: string | undefined;
  #take: ((text: string) => void) | undefined;

  constructor(read: ParsedProperty, part: string) {
    this.#read = read;
    this.#part = part;
  }

  open(name: string, reading: ElementContext): void {
    this.#path.push(name);
    if (this.#part === "ContactInfos") this.#openContact(name, reading);
    else if (this.#part === "Policies") this.#openPolicy(name, reading);
    else if (this.#part === "AffiliationInfo") this.#openAward(name, reading);
    else this.#openInfo(name, reading);
  }

  text(text: string): void {
    this.#take?.(text);
  }

  /** Returns whether the end tag closes the part itself. */
  close(name: string): boolean {
    this.#take = undefined;
    if (name === "Address") this.#address = undefined;
    if (name === "MultimediaDescription") this.#infoCode = undefined;
    this.#path.pop();
    return this.#path.length === 0;
  }

  #openInfo(name: string, reading: ElementContext): void {
    const { attributes, at } = reading;
    if (name === "HotelName") this.#takeText({ kind: "name", rank: 0 }, { field: "name", source: name, at });
    else if (name === "Position") this.#readPosition(reading);
    else if (name === "HotelCategory") this.#readCategoryCode(reading);
    else if (name === "MultimediaDescription") this.#infoCode = attributes.get("InfoCode")?.trim();
    else if (DESCRIPTION_ELEMENTS.has(name) && this.#isInDescriptions()) this.#openDescription(name, reading);
  }

  #isInDescriptions(): boolean {
    const isDescribed = this.#part === "MultimediaDescriptions" || this.#path.includes("Descriptions");
    return isDescribed && !this.#path.some((one) => MEDIA_ELEMENTS.has(one));
  }

  #openDescription(name: string, { attributes, at }: ElementContext): void {
    const rank = this.#infoCode === undefined ? 1 : DESCRIPTION_RANKS[this.#infoCode];
    if (rank === undefined) return;
    const [language, format] = [attributes.get("Language")?.trim(), attributes.get("TextFormat")?.trim()];
    this.#takeText({ kind: "description", rank, language, format }, { field: "description", source: name, at });
  }

  #readPosition(reading: ElementContext): void {
    const latitude = attributeGroup("Latitude", "latitude", reading);
    const longitude = attributeGroup("Longitude", "longitude", reading);
    this.#read.groups.push({ kind: "position", rank: 0, values: [latitude, longitude] });
  }

  /**
   * Reads AlpineBits' `TABLE:STARS`, such as `ASTAT2020_11:4s`. Ignores tables for other classifications, such as suns, because their
   * values differ.
   */
  #readCategoryCode(reading: ElementContext): void {
    const { text, at } = attributeGroup("CodeDetail", "stars", reading);
    const [, stars, superior] = /:([0-5])(s?)$/i.exec(text) ?? [];
    if (stars === undefined) return reading.report.ignore("HotelCategory");
    const value = { field: "stars", source: "CodeDetail", text: superior ? `${stars}.5` : stars, at } as const;
    this.#read.groups.push({ kind: "stars", rank: 1, values: [value] });
  }

  #openAward(name: string, reading: ElementContext): void {
    if (name !== "Award") return;
    const { attributes, report } = reading;
    const isOfficial = parseBoolean(attributes.get("OfficialAppointmentInd") ?? "");
    if (isOfficial === false) return report.ignore("Award by a review provider");
    const value = attributeGroup("Rating", "stars", reading);
    this.#read.groups.push({ kind: "stars", rank: isOfficial ? 0 : 2, values: [value] });
  }

  #openPolicy(name: string, reading: ElementContext): void {
    if (name === "PolicyInfo" || name === "StayRequirement") this.#read.groups.push(...readStayTime(name, reading));
  }

  #openContact(name: string, reading: ElementContext): void {
    if (name === "ContactInfo") this.#contact = rankContact(reading);
    else if (name === "Address") this.#openAddress(reading);
    else if (this.#address) this.#openInAddress(this.#address, name, reading);
    else if (name === "Phone") this.#readPhone(reading);
    else this.#openContactText(name, reading);
  }

  #openContactText(name: string, { attributes, at }: ElementContext): void {
    const rank = this.#contact.general;
    if (name === "Email") this.#takeText({ kind: "email", rank }, { field: "email", source: name, at });
    else if (name === "URL" && isWebsite(attributes.get("ID")))
      this.#takeText({ kind: "website", rank }, { field: "website", source: name, at });
    else if (name === "GivenName") this.#takeText({ kind: "contactName", rank }, { field: "contactName", source: name, at });
    else if (name === "Surname") this.#openSurname({ field: "contactName", source: name, at });
  }

  /** Adds a surname to the group of the preceding `GivenName`, if any. */
  #openSurname(value: Omit<SentValue, "text">): void {
    const last = this.#read.groups.at(-1);
    const isSameContact = last?.kind === "contactName" && last.values[0]?.source === "GivenName" && last.values.length === 1;
    if (isSameContact) this.#takeInto(last, value);
    else this.#takeText({ kind: "contactName", rank: this.#contact.general }, value);
  }

  #openAddress({ attributes }: ElementContext): void {
    const language = attributes.get("Language")?.trim();
    this.#address = { kind: "address", rank: this.#contact.located, language, values: [] };
    this.#read.groups.push(this.#address);
  }

  #openInAddress(address: SentGroup, name: string, { attributes, at }: ElementContext): void {
    const field = ADDRESS_LINES[name];
    if (!field) return;
    const attribute = ADDRESS_CODES[name];
    const code = attribute && attributes.get(attribute)?.trim();
    if (code) address.values.push({ field, source: name, text: code, at });
    else this.#takeInto(address, { field, source: name, at });
  }

  #readPhone({ attributes, at }: ElementContext): void {
    if (attributes.get("PhoneTechType")?.trim() === FAX) return;
    const [country, area, number] = ["CountryAccessCode", "AreaCityCode", "PhoneNumber"].map((name) => attributes.get(name)?.trim());
    const parts = [country && `+${country.replace(/^(\+|00)/, "")}`, area, number];
    const text = number ? parts.filter(Boolean).join(" ") : "";
    this.#read.groups.push({ kind: "phone", rank: this.#contact.general, values: [{ field: "phone", source: "PhoneNumber", text, at }] });
  }

  #takeText(group: Omit<SentGroup, "values">, value: Omit<SentValue, "text">): void {
    const newGroup: SentGroup = { ...group, values: [] };
    this.#read.groups.push(newGroup);
    this.#takeInto(newGroup, value);
  }

  #takeInto(group: SentGroup, value: Omit<SentValue, "text">): void {
    const newValue = { ...value, text: "" };
    group.values.push(newValue);
    this.#take = (text) => (newValue.text += text);
  }
}

function attributeGroup(
  source: string,
  field: PropertyField,
  { attributes, at }: { attributes: ElementContext["attributes"]; at: SourceLocation },
): SentValue {
  return { field, source, text: attributes.get(source) ?? "", at };
}

/** Code for a hotel's direct contact in OpenTravel code list CON. */
const DIRECT_CONTACT_TYPE = "6";

/** Ranks the property's own contact before others, such as a billing contact. */
function rankContact({ attributes }: ElementContext): { general: number; located: number } {
  const profile = attributes.get("ContactProfileType")?.trim().toLowerCase();
  const isDirect = attributes.get("Location")?.trim() === DIRECT_CONTACT_TYPE;
  return { general: isDirect || profile === "general" ? 0 : 1, located: isDirect || profile === "physicallocation" ? 0 : 1 };
}

/** Whether a URL is the property's website. Social media links have an ID such as `FACEBOOK`. */
function isWebsite(id: string | undefined): boolean {
  return id === undefined || id.trim().toLowerCase() === "website";
}
