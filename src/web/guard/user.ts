import { isVisible } from "../../text.ts";

/** Ordered from lowest to highest. Each role includes the permissions of the roles before it. */
export const ROLES = ["viewer", "editor", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** `shared`: signed in with ADMIN_PASSWORD or VIEWER_PASSWORD. `proxy`: identified by a trusted proxy. `open`: no sign-in needed. */
export type User = {
  name: string;
  role: Role;
  kind: "person" | "shared" | "proxy" | "token" | "open";
  grant?: TokenGrant;
  /** When the password used to sign in was set, in milliseconds since 1970. */
  passwordAt?: number | undefined;
};

/** If `properties` is undefined, the grant covers all properties. */
export type TokenGrant = { scopes: readonly TokenScope[]; properties: readonly string[] | undefined };

export const SCOPES = ["read", "changes", "records:write", "channel:dry-run"] as const;
export type TokenScope = (typeof SCOPES)[number];

/**
 * The API tokens that a route allows. `read` and `act` name the scopes, and `property` names the parameter or field with the property's
 * code. `handler` means that the handler itself checks the property with `requireProperty`.
 */
export type TokenAccess = { read?: TokenScope; act?: TokenScope; property?: "code" | "hotelCode" | "property" | "handler" };

/** The user while access is open. No other user can have this name. */
export const OPEN_USER: User = { name: "open", role: "admin", kind: "open" };

export function isRole(text: string | undefined): text is Role {
  return ROLES.some((role) => role === text);
}

export function hasRole(role: Role | undefined, needed: Role): boolean {
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

const MAX_NAME_LENGTH = 100;

export function isName(text: string | undefined): text is string {
  return text !== undefined && text.length <= MAX_NAME_LENGTH && isVisible(text) && text !== OPEN_USER.name;
}

type RequestUser = { user: User | undefined; headers: { authorization?: string | undefined } };

/** Returns whether the request uses or tries to use an API token. */
export function isByToken({ user, headers }: RequestUser): boolean {
  return user === undefined ? readAuthorization(headers.authorization)?.scheme === "bearer" : user.kind === "token";
}

type HeaderCredentials = { scheme: "basic" | "bearer"; name: string | undefined; secret: string };

/** Reads Basic (RFC 7617) or Bearer (RFC 6750, but with any UTF-8, because users choose their passwords). */
export function readAuthorization(header: string | undefined): HeaderCredentials | undefined {
  const [, scheme, value] = /^(basic|bearer) +(\S.*)$/i.exec(header?.trimEnd() ?? "") ?? [];
  if (scheme === undefined || value === undefined) return undefined;
  if (scheme.toLowerCase() === "bearer")
    return { scheme: "bearer", name: undefined, secret: Buffer.from(value, "latin1").toString("utf8") };
  const credentialPair = Buffer.from(value, "base64").toString("utf8");
  const colonIndex = credentialPair.indexOf(":");
  return colonIndex < 0
    ? undefined
    : { scheme: "basic", name: credentialPair.slice(0, colonIndex), secret: credentialPair.slice(colonIndex + 1) };
}
