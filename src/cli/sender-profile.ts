import { type StoredProfile, KNOB_NAMES, KNOBS } from "../modules/channel/profiles/knobs.ts";
import { PRESETS } from "../modules/channel/profiles/presets.ts";
import { DEFAULT_PROFILE } from "../modules/channel/profiles/profile.ts";
import { type ProfileWords, readProfile, settingWords } from "../modules/channel/profiles/words.ts";
import { UsageError } from "./command.ts";

/** Reads a profile from arguments. Returns undefined if there are none. Throws `UsageError`. */
export function parseProfile(words: ProfileWords, existing?: StoredProfile): StoredProfile | undefined {
  if (words.profile === undefined && (words.set ?? []).length === 0) return undefined;
  const parsedProfile = readProfile(words, existing);
  if (typeof parsedProfile === "string") throw new UsageError(`${parsedProfile} See: npm run sender -- profiles`);
  return parsedProfile;
}

export function describeProfiles(): string {
  return [
    "Profiles (--profile NAME):",
    ...PRESETS.flatMap(({ name, about, settings }) => [`  ${name}`, ...[about, ...settingWords(settings)].map((line) => `      ${line}`)]),
    "",
    "Settings (--set NAME=VALUE, repeatable; an empty value restores the preset's):",
    ...KNOB_NAMES.flatMap((name) => {
      const knob: { about: string; example?: string; choices?: Readonly<Record<string, string>> } = KNOBS[name];
      const choices = Object.entries(knob.choices ?? {}).map(([value, words]) => `      ${value}${markDefault(name, value)}: ${words}`);
      return [`  ${name}`, `      ${knob.about}${knob.example === undefined ? "" : `, such as ${knob.example}`}`, ...choices];
    }),
  ].join("\n");
}

function markDefault(name: (typeof KNOB_NAMES)[number], value: string): string {
  return DEFAULT_PROFILE[name] === value ? " (standard)" : "";
}
