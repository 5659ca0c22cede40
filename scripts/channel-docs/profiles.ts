import { KNOB_NAMES, KNOBS } from "../../src/modules/channel/profiles/knobs.ts";
import { PRESETS } from "../../src/modules/channel/profiles/presets.ts";
import { DEFAULT_PROFILE } from "../../src/modules/channel/profiles/profile.ts";
import { settingWords } from "../../src/modules/channel/profiles/words.ts";
import { renderTable } from "./tables.ts";

/** Returns a table of the presets and the settings of each one. */
export function renderPresets(): string {
  const rows = PRESETS.map(({ name, about, settings }) => [
    `\`${name}\``,
    about,
    settingWords(settings)
      .map((words) => `\`${words}\``)
      .join(", "),
  ]);
  return renderTable(["Profile", "For", "Settings"], rows);
}

/** Returns a table of the settings and their values. */
export function renderSettings(): string {
  const rows = KNOB_NAMES.flatMap((name) => {
    const knob: { about: string; example?: string; choices?: Readonly<Record<string, string>> } = KNOBS[name];
    const values = Object.entries(knob.choices ?? {}).map(([value, words]) => [`\`${value}\``, `${words}${markStandard(name, value)}`]);
    if (values.length === 0) return [[`\`${name}\``, knob.about, `such as \`${knob.example}\``, ""]];
    return values.map(([value, words], index) => [index === 0 ? `\`${name}\`` : "", index === 0 ? knob.about : "", value!, words!]);
  });
  return renderTable(["Setting", "Purpose", "Value", "Meaning"], rows);
}

function markStandard(name: (typeof KNOB_NAMES)[number], value: string): string {
  return DEFAULT_PROFILE[name] === value ? " (standard)" : "";
}
