import { readAuthorization } from "../../../web/guard/user.ts";
import type { Credentials } from "./credentials.ts";

/** Headers in which some channel managers send only a secret. */
export const API_KEY_HEADERS = ["x-api-key", "api-key", "user-api-key"] as const;

/** Reads Basic, Bearer or an API key. `Authorization` takes precedence. */
export function readHeaderCredentials(headers: Readonly<Record<string, string | undefined>>): Credentials | undefined {
  const key = API_KEY_HEADERS.map((name) => headers[name]?.trim()).find(Boolean);
  return readAuthorization(headers["authorization"]) ?? (key ? { scheme: "api key", name: undefined, secret: decodeUtf8(key) } : undefined);
}

function decodeUtf8(header: string): string {
  return Buffer.from(header, "latin1").toString("utf8");
}
