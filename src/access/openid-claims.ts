import { SignInRefusal } from "../web/guard/single-sign-on.ts";
import type { Role } from "../web/guard/user.ts";
import { nameFault } from "./people.ts";

export type Claims = Readonly<Record<string, unknown>>;

/** The values of `roleClaim` for each role. Without `viewers`, users with none of them are viewers. */
export type RoleRules = {
  roleClaim: string | undefined;
  admins: readonly string[];
  editors: readonly string[];
  viewers: readonly string[];
};

/** Returns undefined if the claims don't set the role. Throws if they give the user none. */
export function roleOf(claims: Claims, { roleClaim, admins, editors, viewers }: RoleRules): Role | undefined {
  if (roleClaim === undefined) return undefined;
  const values = valuesOf(claimAt(claims, roleClaim));
  const hasAny = (listed: readonly string[]) => values.some((value) => listed.includes(value));
  if (hasAny(admins)) return "admin";
  if (hasAny(editors)) return "editor";
  if (viewers.length === 0 || hasAny(viewers)) return "viewer";
  throw new SignInRefusal(
    "Your account at the provider has no role for this service. Ask an administrator for access.",
    `${roleClaim} has none of the listed values`,
  );
}

/** Finds a claim by its name, or within others by a path such as `realm_access.roles`. Names of claims may contain dots too. */
export function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split(".")) value = isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  return value;
}

/** Whether the provider vouches for one of the required methods of authentication. Call it with an ID token only. */
export function hasRequiredAcr({ acr, amr }: Claims, required: readonly string[]): boolean {
  return required.length === 0 || [...valuesOf(acr), ...valuesOf(amr)].some((value) => required.includes(value));
}

/** Names that the user could have here, best first. An address that the user did not confirm may be someone else's. */
export function namesOf({ preferred_username: username, email, email_verified: isVerified }: Claims): string[] {
  return [username, isVerified === false ? undefined : email].filter(
    (name) => typeof name === "string" && nameFault(name) === undefined,
  ) as string[];
}

function valuesOf(claim: unknown): string[] {
  return [claim].flat().filter((value) => typeof value === "string");
}

function isRecord(value: unknown): value is Claims {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
