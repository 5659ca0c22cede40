import type { ReportAddresses } from "./ignore.ts";

/** The class of the errors that tell of a violation of the content security policy. */
export const VIOLATION = "ContentSecurityPolicyViolation";

/** What was blocked by which directive, and on which page. */
export function wordViolation(directive: string, { blocked, document }: ReportAddresses): string {
  return `${directive} blocked ${withoutQuery(blocked) || "something"} on ${pathOf(document)}`;
}

/** What violations have in common that are alike: the directive and the origin of what was blocked, whatever page and script. */
export function violationPattern(message: string): string {
  const [directive, , blocked = ""] = message.split(" ", 3);
  return `${directive} blocked ${originOf(blocked)}`;
}

export function withoutQuery(url: string): string {
  return url.split(/[?#]/, 1)[0]!;
}

function pathOf(url: string): string {
  return URL.parse(url)?.pathname ?? (withoutQuery(url) || "an unknown page");
}

/** A word such as `inline` is its own origin, and so are scheme and host where an address has none. */
function originOf(address: string): string {
  const url = URL.parse(address);
  if (!url) return address;
  return url.origin === "null" ? `${url.protocol}//${url.host}` : url.origin;
}
