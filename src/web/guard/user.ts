import { isVisible } from "../../text.ts";

export type Role = "viewer" | "admin";

export type User = { name: string; role: Role };

/** The user of open access. No other user can have this name. */
export const OPEN_USER: User = { name: "open", role: "admin" };

const MAX_NAME_LENGTH = 100;

export function isName(text: string | undefined): text is string {
  return text !== undefined && text.length <= MAX_NAME_LENGTH && isVisible(text) && text !== OPEN_USER.name;
}

type HeaderCredentials = { scheme: "basic" | "bearer"; name: string | undefined; secret: string };

/** Reads Basic (RFC 7617) or Bearer (RFC 6750, but with any UTF-8, since users choose their passwords). */
export function readAuthorization(header: string | undefined): HeaderCredentials | undefined {
  const [, scheme, value] = /^(basic|bearer) +(\S.*)$/i.exec(header?.trimEnd() ?? "") ?? [];
  if (scheme === undefined || value === undefined) return undefined;
  if (scheme.toLowerCase() === "bearer")
    return { scheme: "bearer", name: undefined, secret: Buffer.from(value, "latin1").toString("utf8") };
  const pair = Buffer.from(value, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  return colon < 0 ? undefined : { scheme: "basic", name: pair.slice(0, colon), secret: pair.slice(colon + 1) };
}
