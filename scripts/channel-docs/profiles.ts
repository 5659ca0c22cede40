import { KNOB_NAMES, KNOBS } from "../../src/modules/channel/profiles/knobs.ts";
import { PRESETS } from "../../src/modules/channel/profiles/presets.ts";
import { DEFAULT_PROFILE } from "../../src/modules/channel/profiles/profile.ts";
import { settingWords } from "../../src/modules/channel/profiles/words.ts";
import { tableOf } from "./tables.ts";

/** The presets and what each one sets. */
export function presetTable(): string {
  const rows = PRESETS.map(({ name, about, settings }) => [
    `\`${name}\``,
    about,
    settingWords(settings)
      .map((words) => `\`${words}\``)
      .join(", "),
  ]);
  return tableOf(["Profile", "For", "Settings"], rows);
}

/** The settings and their values. */
export function settingTable(): string {
  const rows = KNOB_NAMES.flatMap((name) => {
    const knob: { about: string; example?: string; choices?: Readonly<Record<string, string>> } = KNOBS[name];
    const values = Object.entries(knob.choices ?? {}).map(([value, words]) => [`\`${value}\``, `${words}${mark(name, value)}`]);
    if (values.length === 0) return [[`\`${name}\``, knob.about, `such as \`${knob.example}\``, ""]];
    return values.map(([value, words], index) => [index === 0 ? `\`${name}\`` : "", index === 0 ? knob.about : "", value!, words!]);
  });
  return tableOf(["Setting", "What it sets", "Value", "Meaning"], rows);
}

function mark(name: (typeof KNOB_NAMES)[number], value: string): string {
  return DEFAULT_PROFILE[name] === value ? " (standard)" : "";
}
