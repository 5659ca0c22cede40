import { shellQuote } from "../../web/shell-quote.ts";

/** Headers that curl makes itself, or that belong to the connection. */
const OWN = new Set(["host", "connection", "content-length", "accept-encoding", "transfer-encoding", "keep-alive", "upgrade"]);

type Command = { method: string; url: string; headers: Readonly<Record<string, string>>; data?: string | undefined };

/** The request as a command for a POSIX shell. Secrets are masked before they come here. */
export function asCurl(request: Command): string {
  const headers = Object.entries(request.headers).filter(([name]) => !OWN.has(name));
  const parts = [
    "curl",
    ...methodOption(request.method),
    shellQuote(request.url),
    ...headers.map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    ...(request.data === undefined ? [] : [`--data-raw ${shellQuote(request.data)}`]),
  ];
  return parts.join(" \\\n  ").replace("curl \\\n  ", "curl ");
}

function methodOption(method: string): string[] {
  if (method === "GET") return [];
  return [method === "HEAD" ? "--head" : `-X ${shellQuote(method)}`];
}
