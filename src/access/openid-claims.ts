import { SignInRefusal } from "../web/guard/single-sign-on.ts";
import type { Role } from "../web/guard/user.ts";
import { nameFault } from "./people.ts";

export type OpenIdClaims = Readonly<Record<string, unknown>>;

/** The `roleClaim` values that grant each role. If `viewers` is empty, users without a matching value are viewers. */
export type RoleRules = {
  roleClaim: string | undefined;
  admins: readonly string[];
  editors: readonly string[];
  viewers: readonly string[];
};

/** Returns undefined if roles don't come from claims. Throws if the claims grant the user no role. */
export function roleFromClaims(claims: OpenIdClaims, { roleClaim, admins, editors, viewers }: RoleRules): Role | undefined {
  if (roleClaim === undefined) return undefined;
  const values = claimValues(findClaim(claims, roleClaim));
  const hasAny = (listed: readonly string[]) => values.some((value) => listed.includes(value));
  if (hasAny(admins)) return "admin";
  if (hasAny(editors)) return "editor";
  if (viewers.length === 0 || hasAny(viewers)) return "viewer";
  throw new SignInRefusal(
    "Your identity provider account has no role for this service. Ask an administrator for access.",
    `${roleClaim} has none of the listed values`,
  );
}

/** Finds a claim by name, which may contain dots, or by a path such as `realm_access.roles`. */
export function findClaim(claims: OpenIdClaims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split(".")) value = isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  return value;
}

/** Returns whether the provider confirms one of the required authentication methods. Pass only claims from an ID token. */
export function hasRequiredAcr({ acr, amr }: OpenIdClaims, required: readonly string[]): boolean {
  return required.length === 0 || [...claimValues(acr), ...claimValues(amr)].some((value) => required.includes(value));
}

/** Returns possible user names, best first. Omits an unverified email address, because it may be someone else's. */
export function nameCandidates({ preferred_username: username, email, email_verified: isVerified }: OpenIdClaims): string[] {
  return [username, isVerified === false ? undefined : email].filter(
    (name) => typeof name === "string" && nameFault(name) === undefined,
  ) as string[];
}

function claimValues(claim: unknown): string[] {
  return [claim].flat().filter((value) => typeof value === "string");
}

function isRecord(value: unknown): value is OpenIdClaims {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
