import { DAY_MS } from "../../../calendar/night.ts";
import type { Database } from "../../../db/database.ts";
import { findProperty } from "../../../records/property/store.ts";
import type { Faults, TypedValues } from "../../../web/form.ts";
import type { StoredProfile } from "../../channel/profiles/knobs.ts";
import { findPreset, STANDARD_PRESET } from "../../channel/profiles/presets.ts";
import { readProfile } from "../../channel/profiles/words.ts";
import type { NewSender } from "../../channel/senders/edit-store.ts";

/** A form's values, or its errors. */
export type FormResult<T> = { ok: true; value: T } | { ok: false; faults: Faults };

/** Rejects colons, because the user name in Basic credentials ends at the first colon (RFC 7617). */
const NAME_PATTERN = /^[^\p{Cc}:/-][^\p{Cc}:/]{0,99}$/u;
const MAX_DAYS = 3650;

export async function readNewSender(database: Database, typed: TypedValues, now: number): Promise<FormResult<NewSender>> {
  const { name = "" } = typed;
  const faults: Record<string, string> = {};
  if (!NAME_PATTERN.test(name))
    faults["name"] = "Enter a name of up to 100 characters, without a colon or slash, that does not start with a dash";
  const hotels = typed["all"] === "on" ? undefined : splitCodes(typed["properties"] ?? "");
  const unknownProperty = await findUnknownPropertyCode(database, hotels ?? []);
  if (hotels?.length === 0) faults["properties"] = "Enter at least one property code, or choose all properties";
  else if (unknownProperty !== undefined) faults["properties"] = `Property ${unknownProperty} does not exist`;
  const profile = readProfileForm(typed);
  if (!profile.ok) Object.assign(faults, profile.faults);
  const expiresAt = readDays(typed["days"] ?? "", now);
  if (!expiresAt.ok) Object.assign(faults, expiresAt.faults);
  if (!profile.ok || !expiresAt.ok || Object.keys(faults).length > 0) return { ok: false, faults };
  return { ok: true, value: { name, hotels, profile: profile.value, expiresAt: expiresAt.value, digest: typed["digest"] === "on" } };
}

export function splitCodes(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter(Boolean))];
}

export async function findUnknownPropertyCode(database: Database, codes: readonly string[]): Promise<string | undefined> {
  for (const code of codes) if (!(await findProperty(database, code))) return code;
  return undefined;
}

export function readProfileForm(typed: TypedValues): FormResult<StoredProfile> {
  const profile = typed["profile"] || STANDARD_PRESET;
  const parsedProfile = readProfile({ profile, set: (typed["settings"] ?? "").split(/\s+/).filter(Boolean) });
  if (typeof parsedProfile !== "string") return { ok: true, value: parsedProfile };
  return { ok: false, faults: { [findPreset(profile) ? "settings" : "profile"]: parsedProfile } };
}

/** Parses a number of days. Blank means never. */
export function readDays(text: string, now: number): FormResult<number | undefined> {
  if (text === "") return { ok: true, value: undefined };
  if (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= MAX_DAYS) return { ok: true, value: now + Number(text) * DAY_MS };
  return { ok: false, faults: { days: `Enter 1 to ${MAX_DAYS} days, or leave blank for no expiry` } };
}
