import { type StoredProfile, KNOB_NAMES, type KnobName, readSetting, settingText } from "./knobs.ts";
import { findPreset, PRESETS, STANDARD_PRESET } from "./presets.ts";

/** A profile as text: a preset's name, and settings such as `end=excluded`. */
export type ProfileWords = { profile?: string | undefined; set?: readonly string[] | undefined };

/**
 * Reads a profile. If it is invalid, returns an error message with the allowed values. Adds settings to `known`, unless a preset is given.
 * An empty value removes a setting.
 */
export function readProfile({ profile, set = [] }: ProfileWords, known?: StoredProfile): StoredProfile | string {
  const preset = profile ?? known?.preset ?? STANDARD_PRESET;
  if (!findPreset(preset)) return `Unknown profile '${preset}'. Allowed: ${PRESETS.map(({ name }) => name).join(", ")}.`;
  const settings = new Map(Object.entries(profile === undefined ? (known?.settings ?? {}) : {}));
  for (const word of set) {
    const setting = parseSettingWord(word);
    if (typeof setting === "string") return setting;
    if (setting.value === undefined) settings.delete(setting.name);
    else settings.set(setting.name, setting.value);
  }
  return { preset, settings: Object.fromEntries(settings) };
}

function parseSettingWord(word: string) {
  const [name = "", ...value] = word.split("=");
  if (value.length === 0) return `A setting must have the form NAME=VALUE, not '${word}'.`;
  return readSetting({ name: name.trim(), value: value.join("=") });
}

/** Formats each setting, such as `end=excluded`. */
export function settingWords(settings: StoredProfile["settings"]): string[] {
  const changedKnobs: readonly KnobName[] = KNOB_NAMES.filter((name) => settings[name] !== undefined);
  return changedKnobs.map((name) => `${name}=${settingText(settings[name])}`);
}

/** Formats a profile, such as `exely, end=excluded`. */
export function describeProfile({ preset, settings }: StoredProfile): string {
  return [preset, ...settingWords(settings)].join(", ");
}
