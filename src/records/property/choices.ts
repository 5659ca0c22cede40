import { CURRENCIES } from "../../calendar/money.ts";
import type { Choices } from "../../text.ts";
import { memoizeChoices, createMembershipTest } from "../rules.ts";

/**
 * Messages for inactive and archived properties are refused; messages for test properties are accepted. Lists leave out archived properties
 * by default.
 */
export const PROPERTY_STATUSES: Choices = [
  ["active", "Active"],
  ["inactive", "Inactive"],
  ["test", "Test"],
  ["archived", "Archived"],
];
export const isPropertyStatus = createMembershipTest(() => PROPERTY_STATUSES);

/** Withdrawn from ISO 4217, but still listed by the JavaScript engine. */
const WITHDRAWN_CURRENCIES = ["ANG", "BGN", "CUC", "HRK", "SLL", "ZWL"];
export const currencies = memoizeChoices(() => {
  const names = new Intl.DisplayNames("en", { type: "currency" });
  const currentCurrencies = [...CURRENCIES].filter((code) => !WITHDRAWN_CURRENCIES.includes(code));
  return currentCurrencies.map((code) => [code, `${code} – ${names.of(code)}`]);
});

/** Maps outdated names that the engine still lists to the current IANA names (from `zone.tab`). */
const RENAMED_ZONES: Readonly<Record<string, string>> = {
  "Africa/Asmera": "Africa/Asmara",
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Catamarca": "America/Argentina/Catamarca",
  "America/Coral_Harbour": "America/Atikokan",
  "America/Cordoba": "America/Argentina/Cordoba",
  "America/Godthab": "America/Nuuk",
  "America/Indianapolis": "America/Indiana/Indianapolis",
  "America/Jujuy": "America/Argentina/Jujuy",
  "America/Louisville": "America/Kentucky/Louisville",
  "America/Mendoza": "America/Argentina/Mendoza",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
  "Pacific/Enderbury": "Pacific/Kanton",
  "Pacific/Ponape": "Pacific/Pohnpei",
  "Pacific/Truk": "Pacific/Chuuk",
};
const zoneNames = Intl.supportedValuesOf("timeZone").map((name) => RENAMED_ZONES[name] ?? name);
export const TIME_ZONES: Choices = ["UTC", ...new Set(zoneNames.toSorted())].map((name) => [name, name.replaceAll("_", " ")]);

/** Regions that the JavaScript engine knows, but that are not countries in ISO 3166-1. */
const NOT_COUNTRIES = "AC CP CQ DG EA EU EZ IC QO TA UN XA XB XK ZZ AN BU CS DD DY FX HV NH RH SU TP UK VD YD YU ZR".split(" ");
export const countries = memoizeChoices(() => {
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const order = new Intl.Collator("en");
  const assignedCountries = namedChoices(names, twoLetterCodes("A")).filter(([code]) => !NOT_COUNTRIES.includes(code));
  return assignedCountries.toSorted((a, b) => order.compare(a[1], b[1]));
});

/** Withdrawn from ISO 639-1, but still known to the JavaScript engine. */
const WITHDRAWN_LANGUAGES = ["in", "iw", "ji", "jw", "mo", "sh"];
const languages = memoizeChoices(() => {
  const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
  return namedChoices(names, twoLetterCodes("a")).filter(([code]) => !WITHDRAWN_LANGUAGES.includes(code));
});
export const isLanguage = createMembershipTest(languages);

/** OpenTravel code list PCT (property class type), except its market segments. */
export const PROPERTY_TYPES: Choices = [
  ["20", "Hotel"],
  ["4", "Bed and breakfast"],
  ["16", "Guest house"],
  ["3", "Apartment"],
  ["34", "Vacation home"],
  ["53", "Vacation rental"],
  ["19", "Hostel"],
  ["30", "Resort"],
  ["1", "All suite"],
  ["2", "All-inclusive resort"],
  ["44", "Boatel"],
  ["45", "Boutique"],
  ["5", "Cabin or bungalow"],
  ["6", "Campground"],
  ["63", "Capsule hotel"],
  ["37", "Castle"],
  ["7", "Chalet"],
  ["51", "Charm hotel"],
  ["8", "Condominium"],
  ["9", "Conference center"],
  ["12", "Cruise"],
  ["46", "Efficiency or studio"],
  ["13", "Extended stay"],
  ["14", "Ferry"],
  ["39", "Golf"],
  ["15", "Guest farm"],
  ["17", "Health spa"],
  ["48", "Historical"],
  ["18", "Holiday resort"],
  ["21", "Inn"],
  ["22", "Lodge"],
  ["52", "Manor"],
  ["23", "Meeting resort"],
  ["25", "Mobile home"],
  ["26", "Monastery"],
  ["27", "Motel"],
  ["40", "Pension"],
  ["28", "Ranch"],
  ["50", "Recreational vehicle park"],
  ["29", "Residential apartment"],
  ["31", "Sailing ship"],
  ["32", "Self-catering accommodation"],
  ["41", "Ski"],
  ["42", "Spa"],
  ["33", "Tent"],
  ["43", "Time share"],
  ["35", "Villa"],
  ["36", "Wildlife reserve"],
  ["62", "Other"],
];

export const STAR_CHOICES: Choices = Array.from({ length: 11 }, (_, half) => [
  String(half / 2),
  half === 2 ? "1 star" : `${half / 2} stars`,
]);

function namedChoices(names: Intl.DisplayNames, codes: readonly string[]): Choices {
  return codes.map((code) => [code, names.of(code) ?? ""] as const).filter(([, name]) => name !== "");
}

function twoLetterCodes(first: "A" | "a"): string[] {
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(first.charCodeAt(0) + at));
  return letters.flatMap((one) => letters.map((two) => one + two));
}
