import type { Range } from "./values.ts";

const AUTHORIZATION = /\b((?:basic|bearer)[\s+]+)[A-Za-z0-9._~+/=-]{6,}/gi;
const JSON_WEB_TOKEN = /(?<![\w-])eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)?/g;

/** Finds what stands after `Basic` or `Bearer`. */
export function findCredentials(text: string): Range[] {
  return findShape(text, AUTHORIZATION);
}

/** Finds JSON Web Tokens, whatever stands beside them. */
export function findWebTokens(text: string): Range[] {
  return findShape(text, JSON_WEB_TOKEN);
}

/** Finds what a pattern matches after its first group, if it has one. */
export function findShape(text: string, pattern: RegExp): Range[] {
  const found: Range[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    found.push({ from: match.index + (match[1]?.length ?? 0), to: match.index + match[0].length });
  }
  return found;
}
