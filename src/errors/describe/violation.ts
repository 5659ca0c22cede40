export const VIOLATION = "ContentSecurityPolicyViolation";

/** The addresses in a browser's report; empty if unknown. */
export type ReportAddresses = { document: string; blocked: string; file: string };

export function violationMessage(directive: string, { blocked, document }: ReportAddresses): string {
  return `${directive} blocked ${withoutQuery(blocked) || "something"} on ${pathOf(document)}`;
}

/** Groups violations by directive and blocked origin, whatever the page and script. */
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

/** Keywords such as `inline` stand for themselves. Schemes without an origin, such as extensions, use scheme and host. */
function originOf(address: string): string {
  const url = URL.parse(address);
  if (!url) return address;
  return url.origin === "null" ? `${url.protocol}//${url.host}` : url.origin;
}
