import { findSecrets } from "../../secrets/find.ts";
import { maskSecrets } from "../../secrets/mask.ts";
import { isSecretField, isSecretName } from "../../secrets/names.ts";
import { findCredentials, findShape, findWebTokens, type TextRange } from "../../secrets/values.ts";
import type { Json } from "../entry.ts";

export const MAX_LENGTHS = { class: 200, message: 2_048, stack: 8_192, context: 65_536, depth: 6, items: 200 } as const;

const DIGITS_PATTERN = /(?<!\w|\d\.)\d(?:[ +-]?\d){12,18}(?!\w|\.\d)/g;
/** Card numbers grouped as printed on cards, even if followed by the security code. */
const PRINTED_CARD_PATTERN = /(?<!\w|\d\.)(?:\d{13,19}|(?:2[2-7]|[3-6]\d)\d\d(?:(?:[ +-]\d{4}){3}|[ +-]\d{6}[ +-]\d{4,5}))(?!\w|\.\d)/g;

export function redactedText(length: number): string {
  return `[redacted, ${length} characters]`;
}

/** Redacts secrets. The result is well-formed Unicode without NUL, which PostgreSQL rejects. */
export function scrubText(text: string): string {
  if (harmlessTexts.has(text)) return text;
  const cleanText = text.toWellFormed().replaceAll("\0", "\ufffd");
  const maskedText = maskSecrets(cleanText, MASK_OPTIONS);
  if (maskedText === text && text.length <= MAX_HARMLESS_LENGTH) rememberHarmless(text);
  return maskedText;
}

const MASK_OPTIONS = {
  find: [
    findSecrets,
    findCredentials,
    findWebTokens,
    (text: string) => findCardNumbers(text, DIGITS_PATTERN),
    (text: string) => findCardNumbers(text, PRINTED_CARD_PATTERN),
  ],
  replace: (secret: string) => (secret.startsWith("[redacted,") ? secret : redactedText(secret.length)),
};

/** Short values known to contain no secrets. In a flood, most requests have the same headers. */
const harmlessTexts = new Set<string>();
const MAX_HARMLESS_LENGTH = 300;
const MAX_HARMLESS_TEXTS = 1_000;

function rememberHarmless(text: string): void {
  if (harmlessTexts.size >= MAX_HARMLESS_TEXTS) harmlessTexts.clear();
  harmlessTexts.add(text);
}

export function scrubAndCut(text: string, cap: number): string {
  const scrubbedText = scrubText(text.slice(0, 2 * cap));
  if (scrubbedText.length <= cap && text.length <= 2 * cap) return scrubbedText;
  return `${scrubbedText.slice(0, cap)}… (${text.length} characters in total)`;
}

/** Like `scrubAndCut`, but adds no note about the length. */
export function scrubLine(text: string, cap: number): string {
  return scrubText(text.slice(0, 2 * cap)).slice(0, cap);
}

/** Remaining space in characters: `left` in total, `longest` per string. `cut` is true if something did not fit. */
export type ScrubBudget = { left: number; longest: number; cut: boolean };

/** Converts any value to JSON without secrets, truncated to `MAX_LENGTHS` and the budget. Never throws. */
export function scrubValue(
  value: unknown,
  budget: ScrubBudget = { left: MAX_LENGTHS.context, longest: MAX_LENGTHS.context, cut: false },
  depth: number = MAX_LENGTHS.depth,
): Json {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return fit(value, budget);
  if (typeof value === "number") return scrubNumber(value);
  if (typeof value === "boolean") return value;
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object") return `[${typeof value}]`;
  if (value instanceof Error) return fit(`${value.name}: ${value.message}`, budget);
  if (value instanceof Date) return fit(String(value), budget);
  if (depth === 0) return Array.isArray(value) ? "[nested list]" : "[nested object]";
  return Array.isArray(value) ? scrubList(value, budget, depth) : scrubObject(value, budget, depth);
}

/** Scrubs query parameters and form fields. Here `code` and `key` are also secrets. */
export function scrubFields(fields: unknown, budget?: ScrubBudget): Json {
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) return scrubValue(fields, budget);
  const entries = Object.entries(fields).map(([name, value]: [string, unknown]) => {
    const isSecretOnlyHere = isSecretField(name) && !isSecretName(name);
    return [name, isSecretOnlyHere ? redactField(value) : value] as const;
  });
  return scrubValue(Object.fromEntries(entries), budget);
}

function scrubNumber(value: number): Json {
  const text = String(value);
  if (!Number.isFinite(value)) return text;
  return isCardNumber(text) ? redactedText(text.length) : value;
}

function scrubList(list: readonly unknown[], budget: ScrubBudget, depth: number): Json {
  const items = list.slice(0, MAX_LENGTHS.items).map((item) => scrubValue(item, budget, depth - 1));
  if (list.length <= MAX_LENGTHS.items) return items;
  budget.cut = true;
  return [...items, `… (${list.length - MAX_LENGTHS.items} more)`];
}

function scrubObject(value: object, budget: ScrubBudget, depth: number): Json {
  const result: Record<string, Json> = {};
  let count = 0;
  for (const name of Object.keys(value)) {
    const field = readField(value, name);
    if (field === undefined) continue;
    if (++count > MAX_LENGTHS.items || budget.left <= 0) {
      result["…"] = "more fields omitted";
      budget.cut = true;
      break;
    }
    defineField(
      result,
      fit(name.slice(0, MAX_LENGTHS.class), budget),
      isSecretName(name) ? redactField(field) : scrubValue(field, budget, depth - 1),
    );
  }
  return result;
}

function redactField(value: unknown): Json {
  if (value === null || value === undefined || value === "") return scrubValue(value);
  return redactedText(typeof value === "string" ? value.length : JSON.stringify(scrubValue(value)).length);
}

/** Defines `__proto__` as an ordinary field. */
function defineField(target: Record<string, Json>, name: string, value: Json): void {
  if (name === "__proto__") Object.defineProperty(target, name, { value, enumerable: true });
  else target[name] = value;
}

/** Reads a field whose getter may throw. */
export function readField(value: object, name: string): unknown {
  try {
    return (value as Record<string, unknown>)[name];
  } catch {
    return "[unreadable]";
  }
}

function fit(text: string, budget: ScrubBudget): string {
  if (text.length <= budget.left && harmlessTexts.has(text)) {
    budget.left -= text.length;
    return text;
  }
  const cap = Math.max(0, Math.min(budget.left, budget.longest));
  const cut = scrubAndCut(text, cap);
  budget.cut ||= text.length > cap;
  budget.left -= cut.length;
  return cut;
}

function findCardNumbers(text: string, digits: RegExp): TextRange[] {
  return findShape(text, digits).filter(({ from, to }) => isCardNumber(text.slice(from, to)));
}

/** Prefixes and lengths of payment cards (ISO/IEC 7812). Timestamps and codes do not match. */
const CARD_PREFIX_PATTERN =
  /^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|6(?:011|5\d\d)\d{12,15}|35\d{14}|62\d{14,17})$/;

function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/[ +-]/g, "");
  return CARD_PREFIX_PATTERN.test(digits) && luhnSum(digits) % 10 === 0;
}

function luhnSum(digits: string): number {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubledDigit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    sum += i % 2 === 1 ? doubledDigit : digit;
  }
  return sum;
}
