import { plainWords } from "./search.ts";

/** PostgreSQL limits the length of index entries. */
const MAX_COMPARED_CHARACTERS = 100;

/** Returns a key that, sorted bytewise, sorts by words and numeric values, ignoring case, accents and punctuation. */
export function toSortName(name: string): string {
  const letters = plainWords(name).join(" ").replaceAll(/\d+/g, prefixLength);
  return `${letters.slice(0, MAX_COMPARED_CHARACTERS)}\t${name}`;
}

/** Prefixes a number with its length, so that `2` sorts before `10`. Longer numbers get an additional 9 for every nine digits. */
function prefixLength(digits: string): string {
  const number = digits.replace(/^0+(?=\d)/, "");
  return `${"9".repeat(Math.floor(number.length / 9))}${number.length % 9}${number}`;
}

/** Adds the sort name to a row. Call this for every write of a name. */
export function withSortName<Row extends { name: string }>(row: Row): Row & { sort_name: string } {
  return { ...row, sort_name: toSortName(row.name) };
}
