import { KNOB_NAMES, KNOBS, readSetting, settingText } from "../modules/channel/profiles/knobs.ts";
import { findPreset, PRESETS, STANDARD_PRESET, type StoredProfile } from "../modules/channel/profiles/presets.ts";
import { STANDARD } from "../modules/channel/profiles/profile.ts";
import { UsageError } from "./command.ts";

/** What the command line says about a profile: the name of a preset, and settings such as `end=excluded`. */
export type ProfileWords = { profile?: string | undefined; set?: readonly string[] | undefined };

/** Reads a profile; `undefined` if the words name none. Settings are added to those of `known`, unless a preset is named. Throws `UsageError`. */
export function readProfile({ profile, set = [] }: ProfileWords, known: StoredProfile | undefined): StoredProfile | undefined {
  if (profile === undefined && set.length === 0) return undefined;
  const preset = profile ?? known?.preset ?? STANDARD_PRESET;
  if (!findPreset(preset)) throw new UsageError(`There is no profile '${preset}'. Allowed: ${PRESETS.map(({ name }) => name).join(", ")}.`);
  const settings = new Map(Object.entries(profile === undefined ? (known?.settings ?? {}) : {}));
  for (const { name, value } of set.map(readWord)) {
    if (value === undefined) settings.delete(name);
    else settings.set(name, value);
  }
  return { preset, settings: Object.fromEntries(settings) };
}

function readWord(word: string) {
  const [name = "", ...value] = word.split("=");
  if (value.length === 0) throw new UsageError(`--set takes NAME=VALUE, not '${word}'. See: npm run sender -- profiles`);
  const read = readSetting({ name: name.trim(), value: value.join("=") });
  if (typeof read === "string") throw new UsageError(`${read} See: npm run sender -- profiles`);
  return read;
}

/** `exely, end=excluded`. */
export function describeProfile({ preset, settings }: StoredProfile): string {
  const named = KNOB_NAMES.filter((name) => settings[name] !== undefined).map((name) => `${name}=${settingText(settings[name])}`);
  return [preset, ...named].join(", ");
}

/** Every preset and setting, in words. */
export function describeAll(): string {
  return [
    "Profiles (--profile NAME):",
    ...PRESETS.flatMap(({ name, about, settings }) => [
      `  ${name}`,
      `      ${about}`,
      ...settingLines(settings).map((line) => `      ${line}`),
    ]),
    "",
    "Settings (--set NAME=VALUE, may be repeated; an empty value goes back to the profile's):",
    ...KNOB_NAMES.flatMap((name) => {
      const knob: { about: string; example?: string; choices?: Readonly<Record<string, string>> } = KNOBS[name];
      const choices = Object.entries(knob.choices ?? {}).map(([value, words]) => `      ${value}${mark(name, value)}: ${words}`);
      return [`  ${name}`, `      ${knob.about}${knob.example === undefined ? "" : `, such as ${knob.example}`}`, ...choices];
    }),
  ].join("\n");
}

function settingLines(settings: StoredProfile["settings"]): string[] {
  return KNOB_NAMES.filter((name) => settings[name] !== undefined).map((name) => `${name}=${settingText(settings[name])}`);
}

function mark(name: (typeof KNOB_NAMES)[number], value: string): string {
  return STANDARD[name] === value ? " (standard)" : "";
}
