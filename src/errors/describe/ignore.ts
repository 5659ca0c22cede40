import type { Config } from "../../config.ts";

/** The rules in force, in the words in which they are counted. */
export function rulesOf({ IGNORE_NOT_FOUND: paths, IGNORE_CSP_REPORTS: noises }: Config["values"]): string[] {
  return [...paths.map(pathRule), ...noises.map(reportRule)];
}

/** More reports came than the intakes take. */
export const TOO_MANY_REPORTS = "too many reports";

/** Neither the database nor its spool took them. */
export const SPOOL_FULL = "no room while the database was away";

/** Errors that are in the log without their context. */
export const REPEATS = "repeats without context";

/** Entries that were deleted early because the log had reached its maximum size. */
export const OVERSIZE = "removed to stay within KEEP_ERRORS_MB";

/** Counted like the rules, although they leave no error out. */
export const CUTS: readonly string[] = [REPEATS, OVERSIZE];

function pathRule(pattern: string): string {
  return `IGNORE_NOT_FOUND ${pattern}`;
}

function reportRule(noise: string): string {
  return `IGNORE_CSP_REPORTS ${noise}`;
}

/** The rule that leaves an unknown path out of the log; undefined where none does. */
export function rulePath(path: string, patterns: readonly string[]): string | undefined {
  const lower = path.toLowerCase();
  const found = patterns.find((pattern) => matches(lower, pattern.toLowerCase()));
  return found === undefined ? undefined : pathRule(found);
}

/** `*` is any text. A stranger sends the path, so it is gone through once, whatever the pattern. */
function matches(path: string, pattern: string): boolean {
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

/** The addresses in a report: of the page, of what was blocked, and of the code that asked for it; empty where they are not known. */
export type ReportAddresses = { document: string; blocked: string; file: string };

/** The rule that leaves a report out of the log; `host` is our own. */
export function ruleReport(report: ReportAddresses, { noises, host }: { noises: readonly string[]; host: string }): string | undefined {
  const found = noises.find((noise) => NOISES[noise]?.(report, host));
  return found === undefined ? undefined : reportRule(found);
}

/** What is called noise, by the words of the setting. */
const NOISES: Readonly<Record<string, (report: ReportAddresses, host: string) => boolean>> = {
  extensions: (report) => addressesOf(report).some((address) => EXTENSION.test(address)),
  about: (report) => addressesOf(report).some((address) => ABOUT.test(address)),
  "other-hosts": ({ document }, host) => {
    const { hostname } = URL.parse(document) ?? { hostname: "" };
    return hostname !== "" && hostname !== host.toLowerCase();
  },
};

/** Browsers send of such addresses all, or only the scheme. Safari hides those of extensions. */
const EXTENSION = /^(?:[a-z-]+-extension|webkit-masked-url)(?::|$)/i;
const ABOUT = /^about(?::|$)/i;

function addressesOf({ document, blocked, file }: ReportAddresses): string[] {
  return [document, blocked, file];
}
