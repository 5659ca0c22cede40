/** The first match is used, because most browsers also mention others. */
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\b(?:iPhone|iPad)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

const MAX_LENGTH = 40;

/** Returns a name such as "Firefox on Windows" for a `User-Agent`, or the start of the header. */
export function browserName(agent: string | undefined): string | undefined {
  if (agent === undefined || agent === "") return undefined;
  const browser = findName(agent, BROWSERS);
  if (browser === undefined) return agent.slice(0, MAX_LENGTH);
  const system = findName(agent, SYSTEMS);
  return system === undefined ? browser : `${browser} on ${system}`;
}

function findName(agent: string, names: typeof BROWSERS): string | undefined {
  return names.find(([pattern]) => pattern.test(agent))?.[1];
}
