import { ALPINEBITS_MAX_CODE_LENGTH } from "../../../records/category/category.ts";
import { escapeText, writeAttributes } from "../../../xml/write.ts";
import { systemError } from "../ota-error.ts";
import type { ReportedFinding } from "../report.ts";
import { textReply, type ResponseWording, responseVersion, writeXmlResponse, writeTime, XML_CONTENT_TYPE, xmlReply } from "./answer-xml.ts";
import type { ResponseContent, Dialect, DialectRules } from "./dialect.ts";

/** Supported AlpineBits HotelData versions, oldest first. Each version inherits the rules of the one before. */
export const ALPINEBITS_VERSIONS = ["2018-10", "2020-10", "2022-10", "2024-10"] as const;
export type AlpineBitsVersion = (typeof ALPINEBITS_VERSIONS)[number];
export const NEWEST_VERSION: AlpineBitsVersion = ALPINEBITS_VERSIONS.at(-1)!;

/** The first and last version that have a rule or capability. Both are optional. */
export type VersionRange = { since?: AlpineBitsVersion; until?: AlpineBitsVersion };

export function isWithinRange(version: AlpineBitsVersion, { since = version, until = version }: VersionRange): boolean {
  return !isBefore(version, since) && !isBefore(until, version);
}

function isBefore(version: AlpineBitsVersion, other: AlpineBitsVersion): boolean {
  return ALPINEBITS_VERSIONS.indexOf(version) < ALPINEBITS_VERSIONS.indexOf(other);
}

export function findVersion(version: string | undefined): AlpineBitsVersion | undefined {
  return ALPINEBITS_VERSIONS.find((one) => one === version?.trim());
}

/** `strict` means that the sender stated the version, so all its rules apply. Other messages are read as tolerantly as plain OpenTravel. */
export function alpineBits(version: AlpineBitsVersion, { strict }: { strict: boolean }): Dialect {
  return {
    ...versionRules(version, strict),
    forEnvelope: () => undefined,
    answer: (answer, head = { status: 200, headers: {} }) => xmlReply(writeXmlResponse(answer, ALPINEBITS_WORDING), XML_CONTENT_TYPE, head),
    refuse: ({ status, fault, headers = {} }) => textReply(`ERROR:${fault.text}`, { status, headers }),
    refusesInOwnResponse: false,
    usesHttpChallenge: true,
    systemFault: (reference) => ({ ...systemError(reference), text: `internal error [rid=${reference}]` }),
  };
}

function versionRules(version: AlpineBitsVersion, strict: boolean): DialectRules {
  const since = (first: AlpineBitsVersion) => isWithinRange(version, { since: first });
  return {
    requiresHotelCode: strict && since("2024-10"),
    checksUniqueId: strict,
    requiresPeriod: strict,
    ignoresContentsHotelCode: strict,
    allowsRoomWithCategoryCode: true,
    requestsCompleteSets: true,
    readsHandshake: true,
    requiresHandshake: strict,
    repliesToUnreadableHandshake: !since("2020-10"),
    checksFreeRooms: strict,
    appliesClosingsLast: strict,
    zeroesMissingCounts: true,
    checksRatePlans: strict,
    requiresPlanCode: true,
    planDatesControlDisplay: strict,
    checksGuestRooms: strict,
    replacesCategories: true,
    pullsHaveNoWarnings: !since("2022-10"),
    pullsMayRequestChanges: true,
    returnsWebsiteOnly: !since("2020-10"),
    returnsGrossAmountsOnly: true,
    onlyCurrency: since("2020-10") ? undefined : "EUR",
    maxCategoryCodeLength: ALPINEBITS_MAX_CODE_LENGTH,
    maxRoomNameLength: 16,
  };
}

/** The response schema allows no other root attributes, and no attribute for an error's position. */
const ALPINEBITS_WORDING: ResponseWording = {
  writeRootAttributes: (answer) => writeAttributes({ Version: responseVersion(answer), TimeStamp: writeTime(answer.now) }),
  writeError,
  writeWarning: ({ type, text, status }) => `<Warning${writeAttributes({ Type: type, Status: status })}>${escapeText(text)}</Warning>`,
};

/** Writes the position as a comment, because clients compare error texts. */
function writeError(error: ReportedFinding, { locations }: ResponseContent): string {
  const { code, status, text } = error;
  const position = locations.position(error);
  const attributes = writeAttributes({ Type: 13, Code: code, Status: status });
  return `<Error${attributes}>${escapeText(text)}</Error>${position ? `<!-- ${position} -->` : ""}`;
}
