/** Ordered, because most browsers also mention other browsers in their `User-Agent`. The first match is used. */
const BROWSER_PATTERNS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const SYSTEM_PATTERNS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\b(?:iPhone|iPad)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

const MAX_NAME_LENGTH = 40;

/** Returns a name such as "Firefox on Windows" for a `User-Agent`, or the start of the header. */
export function browserName(agent: string | undefined): string | undefined {
  if (agent === undefined || agent === "") return undefined;
  const browser = findName(agent, BROWSER_PATTERNS);
  if (browser === undefined) return agent.slice(0, MAX_NAME_LENGTH);
  const system = findName(agent, SYSTEM_PATTERNS);
  return system === undefined ? browser : `${browser} on ${system}`;
}

function findName(agent: string, names: typeof BROWSER_PATTERNS): string | undefined {
  return names.find(([pattern]) => pattern.test(agent))?.[1];
}
