import type { ErrorEntry, Json } from "../../../errors/entry.ts";
import { asCurl } from "../../../web/shell-command.ts";

/** The request that caused a server error, as a POSIX shell command. Undefined if it is unknown. */
export function requestAsCurl({ source, detail: { server, cut } }: ErrorEntry): string | undefined {
  const [method, uri, scheme, host, port] = NAMES.map((name) => textOf(server[name]));
  if (source !== "php" || !uri || cut === "repeat") return undefined;
  const url = uri.startsWith("/") ? `${scheme}://${host || `localhost:${port}`}${uri}` : uri;
  return asCurl({ method: method ?? "", url, headers: headersOf(server) });
}

const NAMES = ["REQUEST_METHOD", "REQUEST_URI", "REQUEST_SCHEME", "HTTP_HOST", "SERVER_PORT"] as const;

function headersOf(server: Readonly<Record<string, Json>>): Record<string, string> {
  const headers = Object.entries(server).filter(([name]) => name.startsWith("HTTP_"));
  return Object.fromEntries(headers.map(([name, value]) => [name.slice("HTTP_".length).toLowerCase().replaceAll("_", "-"), textOf(value)]));
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
