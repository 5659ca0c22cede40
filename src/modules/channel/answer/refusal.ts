import { RETRY_AFTER_SECONDS } from "../limits.ts";
import { type Fault, processedTooLate, systemBusy, systemUnavailable } from "../ota-error.ts";

/**
 * Why a request was refused, and the HTTP status for it. A dialect may use a different status. `unreadable` means that no message could be
 * read.
 */
export type MessageRefusal = { status: number; fault: Fault; headers?: Readonly<Record<string, string>>; unreadable?: boolean };

export function busyRefusal(seconds: number = RETRY_AFTER_SECONDS): MessageRefusal {
  return { status: 429, fault: systemBusy(), headers: { "retry-after": String(seconds) } };
}

const RETRY_LATER_HEADERS = { "retry-after": "30" };
export const UNAVAILABLE_REFUSAL: MessageRefusal = { status: 503, fault: systemUnavailable(), headers: RETRY_LATER_HEADERS };
export const LATE_REFUSAL: MessageRefusal = { status: 503, fault: processedTooLate(), headers: RETRY_LATER_HEADERS };
