import { DAY_MS } from "../calendar/night.ts";
import { UsageError } from "./command.ts";

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY_MS };
const DURATION_PATTERN = /^(?<count>[1-9]\d{0,4})(?<unit>[mhd])$/;

/** Reads a duration such as `24h`. Throws `UsageError`. */
export function parseDuration(text: string, option: string): number {
  const { count, unit } = DURATION_PATTERN.exec(text)?.groups ?? {};
  if (count === undefined) throw new UsageError(`--${option} must be a duration such as 30m, 24h or 90d, not '${text}'.`);
  return Number(count) * UNIT_MS[unit!]!;
}

/** Parses a secret's expiry: a duration from `now`, or `never`, for which it returns undefined. */
export function parseExpiry(text: string, now: number): number | undefined {
  return text === "never" ? undefined : now + parseDuration(text, "expires");
}

export function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
