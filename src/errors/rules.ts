import type { ReportUrls } from "./describe/grouping.ts";

export const TOO_MANY_REPORTS_RULE = "too many reports";
/** Counts malformed reports that were skipped in a list. The valid reports in the list are recorded. */
export const MALFORMED_REPORTS_RULE = "malformed reports";
export const SPOOL_FULL_RULE = "spool full";

export const REPEATS_RULE = "repeats without context";
export const OVERSIZE_RULE = "removed to stay within KEEP_ERRORS_MB";
export const TRIMMING_RULES: readonly string[] = [REPEATS_RULE, OVERSIZE_RULE];

export type IgnoreSettings = { IGNORE_NOT_FOUND: readonly string[]; IGNORE_CSP_REPORTS: readonly string[] };

export function ignoreRules({ IGNORE_NOT_FOUND: paths, IGNORE_CSP_REPORTS: kinds }: IgnoreSettings): string[] {
  return [...paths.map(pathRule), ...kinds.map(reportRule)];
}

function pathRule(pattern: string): string {
  return `IGNORE_NOT_FOUND ${pattern}`;
}

function reportRule(kind: string): string {
  return `IGNORE_CSP_REPORTS ${kind}`;
}

export function matchPathRule(path: string, patterns: readonly string[]): string | undefined {
  const lowerCasePath = path.toLowerCase();
  const matchingPattern = patterns.find((pattern) => matchesPattern(lowerCasePath, pattern.toLowerCase()));
  return matchingPattern === undefined ? undefined : pathRule(matchingPattern);
}

/**
 * Returns whether a path matches a pattern, in which `*` stands for any characters. Scans the path only once, because clients choose its
 * length.
 */
function matchesPattern(path: string, pattern: string): boolean {
  const [head = "", ...parts] = pattern.split("*");
  const tail = parts.pop();
  if (tail === undefined) return path === pattern;
  if (!path.startsWith(head)) return false;
  let from = head.length;
  for (const part of parts) {
    const at = path.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return path.length - from >= tail.length && path.endsWith(tail);
}

export function matchReportRule(report: ReportUrls, { kinds, host }: { kinds: readonly string[]; host: string }): string | undefined {
  const matchingKind = kinds.find((kind) => REPORT_KINDS[kind]?.(report, host));
  return matchingKind === undefined ? undefined : reportRule(matchingKind);
}

const REPORT_KINDS: Readonly<Record<string, (report: ReportUrls, host: string) => boolean>> = {
  extensions: (report) => reportUrls(report).some((address) => EXTENSION_URL_PATTERN.test(address)),
  about: (report) => reportUrls(report).some((address) => ABOUT_PAGE_PATTERN.test(address)),
  "other-hosts": ({ document }, host) => {
    const { hostname } = URL.parse(document) ?? { hostname: "" };
    return hostname !== "" && hostname !== host.toLowerCase();
  },
};

/** Some browsers send only the scheme. Safari masks extension URLs. */
const EXTENSION_URL_PATTERN = /^(?:[a-z-]+-extension|webkit-masked-url)(?::|$)/i;
const ABOUT_PAGE_PATTERN = /^about(?::|$)/i;

function reportUrls({ document, blocked, file }: ReportUrls): string[] {
  return [document, blocked, file];
}
