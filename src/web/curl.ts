import { shellQuote } from "./shell-quote.ts";

/** Headers that curl makes itself, or that belong to the connection. */
const OWN = new Set(["host", "connection", "content-length", "accept-encoding", "transfer-encoding", "keep-alive", "upgrade"]);

type Command = { method: string; url: string; headers: Readonly<Record<string, string>>; data?: string | undefined };

/** The request as a command for a POSIX shell. Secrets are masked before they come here. */
export function asCurl({ method, url, headers, data }: Command): string {
  const parts = [
    "curl",
    ...methodOption(method),
    ...urlOptions(url),
    shellQuote(url),
    ...Object.entries(headers)
      .filter(([name]) => !OWN.has(name))
      .map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    ...(data === undefined ? [] : [`--data-raw ${shellQuote(data)}`]),
  ];
  return parts.join(" \\\n  ").replace("curl \\\n  ", "curl ");
}

function methodOption(method: string): string[] {
  if (method === "GET") return [];
  return [method === "HEAD" ? "--head" : `-X ${shellQuote(method)}`];
}

/** Curl would read brackets and braces as a range of addresses, and take dots out of a path. */
function urlOptions(url: string): string[] {
  return [...(/[[\]{}]/.test(url) ? ["--globoff"] : []), ...(/\/\.\.?(?:[/?]|$)/.test(url) ? ["--path-as-is"] : [])];
}
