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
