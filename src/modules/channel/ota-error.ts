import type { CompleteSet, UnknownCode } from "../../journal/work.ts";
import type { TextPosition } from "../../xml/source.ts";
import { MAX_CODE_LENGTH } from "./limits.ts";
import type { Profile } from "./profiles/profile.ts";

/** An error or warning: `type` from OpenTravel code list EWT, `code` from code list ERR. */
export type Fault = {
  type: number;
  code: number | undefined;
  text: string;
  fixedText?: string;
  /** AlpineBits only: requests a complete set, for example with `ALPINEBITS_SEND_FREEROOMS`. */
  status?: string;
  /** Position of the error in a malformed document. */
  position?: TextPosition;
  /** The code in question, if it doesn't exist or the sender can't access it. */
  unknown?: UnknownCode;
};

/** Error types in OpenTravel code list EWT. */
const ErrorType = {
  noImplementation: 2,
  bizRule: 3,
  authentication: 4,
  authorization: 6,
  requiredFieldMissing: 10,
  advisory: 11,
  processing: 12,
  application: 13,
} as const;

const { bizRule, requiredFieldMissing, processing, advisory } = ErrorType;

export const hotelNotFound = (code: string): Fault => ({
  ...createFault(ErrorType.authorization, 392, `Hotel not found for HotelCode=${code}`),
  ...unknownCode("property", code),
});
export const hotelNotActive = (code: string): Fault => createFault(bizRule, 375, `Hotel not active: ${code}`);
export const noAccessToHotel = (code: string): Fault => ({
  ...createFault(ErrorType.authorization, 497, `You do not have access to hotel ${code}`),
  ...unknownCode("property", code),
});
export const roomTypeNotActive = (code: string): Fault => createFault(bizRule, 731, `Room type not active: ${code}`);
export const rateNotFound = (code: string): Fault => ({
  ...createFault(bizRule, 249, "Rate code not found for this hotel"),
  ...unknownCode("plan", code),
});
export const roomAndRateNotFound = (): Fault =>
  createFault(bizRule, 783, "Combination of room code and rate code not found for this hotel");

const ROOM_TYPE_NOT_FOUND_TEXT = "Room type code not found for this hotel";
export const roomTypeNotFound = (code: string): Fault => ({
  ...createFault(bizRule, 402, `${ROOM_TYPE_NOT_FOUND_TEXT} (${code})`),
  fixedText: ROOM_TYPE_NOT_FOUND_TEXT,
  ...unknownCode("category", code),
});

/** Omits overlong codes, because they can't exist and would bloat the log. */
function unknownCode(kind: UnknownCode["kind"], code: string): Pick<Fault, "unknown"> {
  return code.length > MAX_CODE_LENGTH ? {} : { unknown: { kind, code } };
}

export const codeReplacedBySenderCode = (code: string, own: string): Fault =>
  createFault(bizRule, 320, `${shortenCode(code)} is mapped for this sender; send ${shortenCode(own)} instead`);

export const invalidDate = (value: string, field: string): Fault =>
  createFault(bizRule, 15, `Invalid date "${shortenCode(value)}" in ${field}`);
export const invalidDates = (start: string, end: string): Fault =>
  createFault(bizRule, 404, `Invalid start/end date combination: ${start} > ${end}`);
export const invalidValue = (value: string, field: string): Fault =>
  createFault(bizRule, 320, `Invalid value "${shortenCode(value)}" for ${field}`);
const ALLOWED_HINT = "; allowed: ";
/** Returns the text without the list of allowed values, which differs between standards. */
export const withoutHint = (text: string): string => text.split(ALLOWED_HINT, 1)[0]!;
export const invalidWord = (value: string, field: string, allowed: string): Fault =>
  createFault(bizRule, 320, `Invalid value "${shortenCode(value)}" for ${field}${ALLOWED_HINT}${allowed}`);
/** The fault mentions the allowed range only if the value is a number that is too high. */
export const invalidNumber = (value: string, field: string, allowed: string): Fault =>
  /^\s*\d+\s*$/.test(value) ? invalidWord(value, field, allowed) : invalidValue(value, field);
export const invalidFlag = (value: string, field: string): Fault => invalidWord(value, field, "1, 0, true, false");
export const unknownDay = (name: string, days: string): Fault =>
  createFault(bizRule, 320, `${name} is not a day of the week${ALLOWED_HINT}${days}`);
export const invalidCurrency = (value: string): Fault =>
  createFault(bizRule, 61, `Invalid currency code "${shortenCode(value)}"${ALLOWED_HINT}ISO 4217 in capitals, such as EUR`);
export const invalidGuests = (value: string): Fault => ({ ...invalidWord(value, "NumberOfGuests", "1 to 99"), code: 397 });
export const fieldMissing = (field: string): Fault => createFault(requiredFieldMissing, 321, `Required field missing: ${field}`);
/** `field` is the field that identifies the property in the dialect. */
export const hotelMissing = ({ hotelCode }: Pick<Profile, "hotelCode">, field: string | undefined): Fault =>
  hotelCode === "credential"
    ? fieldMissing(`${field ?? "HotelCode"} (the sender must have access to exactly one property)`)
    : fieldMissing(field ?? hotelCode);
export const ambiguousHotelName = (name: string): Fault =>
  fieldMissing(`HotelCode (exactly one active property must have HotelName "${shortenCode(name)}")`);
export const notSupportedValue = (value: string, field: string, allowed: string): Fault =>
  createFault(ErrorType.noImplementation, 450, `${field}="${shortenCode(value)}" is not supported${ALLOWED_HINT}${allowed}`);
const ignoreRemedy = (name: string): string => `omit it, or add ${name} to the sender's "ignored" setting`;
/** `remedy` says what the sender or its administrator can do. */
export const narrowedFault = ({ name, value }: { name: string; value: string }, remedy = ignoreRemedy(name)): Fault =>
  createFault(
    ErrorType.noImplementation,
    450,
    `${name}="${shortenCode(value)}" limits the line to something that is not stored; ${remedy}`,
  );
type ChannelCodes = { codes: readonly string[]; before: string | undefined };
const SET_DISTRIBUTION_HINT = `set the sender's "distribution" setting to this channel's code`;
/** `before` is the code in the sender's earlier messages. */
export const ambiguousDistribution = (name: string, { codes, before }: ChannelCodes): Fault =>
  createFault(
    ErrorType.noImplementation,
    450,
    codes.length > 1
      ? `${name} specifies several distribution channels (${codes.slice(0, 5).map(shortenCode).join(", ")}); ${SET_DISTRIBUTION_HINT}`
      : `${name}="${shortenCode(codes[0]!)}" is not the distribution channel of earlier messages (${before}); ${SET_DISTRIBUTION_HINT}`,
  );
export const notImplemented = (what: string, reason: string): Fault =>
  createFault(ErrorType.noImplementation, 450, `${shortenCode(what)} is not implemented: ${reason}`);
export const NO_RESERVATIONS_TEXT = "reservations are not stored";
export const ruleBroken = (text: string): Fault => createFault(bizRule, 320, text);

export const emptyBody = (): Fault => createFault(requiredFieldMissing, 321, "Empty request body");
export const notWellFormed = (position: TextPosition, reason: string): Fault => malformedFault("XML", position, reason);
export const dtdNotAllowed = (): Fault => createFault(processing, 450, "DTD is not allowed");
export const unexpectedNamespace = (uri: string): Fault => createFault(processing, 450, `Unexpected namespace ${shortenCode(uri)}`);
export const malformedJson = (position: TextPosition, reason: string): Fault => malformedFault("JSON", position, reason);
const malformedFault = (what: string, position: TextPosition, reason: string): Fault => ({
  ...createFault(processing, 450, `${what} is not well-formed at line ${position.line}, column ${position.column}: ${reason}`),
  position,
});
export const messageNotSupported = (root: string): Fault =>
  createFault(ErrorType.noImplementation, 459, `Message ${root} is not supported`);
export const unknownMessage = (root: string): Fault =>
  createFault(ErrorType.noImplementation, 459, `Unknown message <${shortenCode(root)}>`);
/** A second control would replace the first and lose its nights. */
export const duplicateControl = (): Fault => createFault(bizRule, 320, "A line must have only one StatusApplicationControl");
export const oneMessageOnly = (): Fault => createFault(bizRule, 320, "More than one message in the Body of the envelope");
export const notGzip = (): Fault => createFault(processing, 450, "The body is not valid gzip");
export const encodingNotSupported = (): Fault => createFault(processing, 450, "Content-Encoding is not supported; send gzip or none");
export const badCredentials = (): Fault => createFault(ErrorType.authentication, 497, "Invalid Username and/or Password");
/** The text is the same for all senders, so that it reveals neither which senders exist nor which use digests. */
export const badDigest = (): Fault =>
  createFault(
    ErrorType.authentication,
    497,
    `Invalid Username and/or Password${ALLOWED_HINT}a Password of Type #PasswordText, or #PasswordDigest if the sender is set up for it`,
  );
export const tooLarge = (megabytes: number): Fault => createFault(processing, 743, `Message larger than ${megabytes} MB`);
export const tooManyLines = (lines: number): Fault => createFault(processing, 743, `Message has more than ${lines} lines`);
export const tooManyValues = (what: string): Fault => createFault(processing, 743, `Message ${what}`);
export const systemBusy = (): Fault => createFault(processing, 191, "System busy - please try later");
export const systemUnavailable = (): Fault => createFault(processing, 187, "System currently unavailable - please try later");
export const systemError = (reference: string): Fault => createFault(ErrorType.application, 448, `System error, reference ${reference}`);
export const tooSlow = (): Fault => createFault(processing, 448, "The message arrived too slowly; nothing was stored");
export const processedTooLate = (): Fault => createFault(processing, 448, "The message was not processed in time; nothing was stored");

export const pastNightsIgnored = (nights: number, today: string): Fault =>
  createFault(advisory, undefined, `${nights} night${nights === 1 ? "" : "s"} before ${today} ignored`);
export const nightsBeyondHorizon = (): Fault => createFault(bizRule, 458, "dates are too far in the future for this server to process");
/** Uses the text from the sample response in AlpineBits. */
export const completeSetRequested = (kind: CompleteSet): Fault => ({
  ...createFault(advisory, undefined, "last full data set received more than 48 hours ago"),
  status: kind === "counts" ? "ALPINEBITS_SEND_FREEROOMS" : "ALPINEBITS_SEND_RATEPLANS",
});
/** Used for a part that may carry stock, a price or a restriction. */
export const notStored = (part: string): Fault => note(`${part} is not stored`);
export const partInWrongPlace = (element: string): Fault => note(`${element} is not expected here and was ignored`);
export const unknownPartIgnored = (part: string): Fault => note(`${part} is unknown and was ignored`);
export const distributionAlreadySet = (name: string, code: string): Fault =>
  note(
    `${name} ${code} was stored as this channel's code, because it was the first one the sender used; if it is wrong, ${SET_DISTRIBUTION_HINT}`,
  );
export const otherDistribution = ({ name, value }: { name: string; value: string }, code: string): Fault =>
  note(`lines for ${name} ${value} were skipped: this channel's code is ${code}`);
export const note = (text: string): Fault => createFault(advisory, undefined, text);
export const unknownAction = (): Fault => note("unknown or missing action");
/** Starts with the text that AlpineBits requires. */
export const reservationAction = (action: string): Fault =>
  note(`${unknownAction().text}; ${shortenCode(action)} is not implemented: ${NO_RESERVATIONS_TEXT}`);
export const planRetired = (code: string): Fault =>
  note(`rate plan ${shortenCode(code)} is retired: its nights are stored, but not for sale`);
export const totalNotStored = (): Fault => note("a count for the whole property is not stored; send one per category");
export const limitsDiffer = (category: string): Fault =>
  note(`limits for ${category} differ by rate plan: each was stored as its plan's allotment, and the count of ${category} is unchanged`);
export const doubtfulValue = (text: string): Fault => createFault(bizRule, undefined, text);

/** Limits the length of error texts, which may repeat long parts of a message. */
const MAX_TEXT_LENGTH = 500;

function createFault(type: number, code: number | undefined, text: string): Fault {
  return { type, code, text: text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text };
}

function shortenCode(value: string): string {
  return value.length > 100 ? `${value.slice(0, 100)}…` : value;
}
