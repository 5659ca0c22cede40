/** Reads a whole number from 0 to `max` without sign, point or exponent; white space around it is allowed. */
export function parseWhole(text: string, max: number): number | undefined {
  const digits = text.trim();
  if (digits.length === 0 || digits.length > 15) return undefined;
  let value = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return value <= max ? value : undefined;
}

/** `1`, `0`, `true`, `false` in any case. */
export function parseBoolean(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (word === "1" || word === "true") return true;
  if (word === "0" || word === "false") return false;
  return undefined;
}

/** The first `most` characters as people and the forms count them; never cuts a surrogate pair in two. */
export function firstCharacters(text: string, most: number): string {
  return text.length <= most
    ? text
    : Array.from(text.slice(0, 2 * most))
        .slice(0, most)
        .join("");
}

/** Limits of what is stored for a night. */
export const MAX_COUNT = 9_999;
export const MAX_STAY = 999;
export const MAX_GUESTS = 99;
export const MAX_CODE_LENGTH = 64;
