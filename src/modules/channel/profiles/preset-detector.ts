import type { Attributes } from "../../../xml/handler.ts";
import type { MessageReport } from "../report.ts";
import type { Preset, VendorSign } from "./preset.ts";
import { PRESETS } from "./presets.ts";
import { type Profile, DEFAULT_PROFILE } from "./profile.ts";

type ElementSign = Extract<VendorSign, { element: string }>;
type PresetClue = { preset: Preset; sign: ElementSign };

const CLUES_BY_ELEMENT: ReadonlyMap<string, readonly PresetClue[]> = Map.groupBy(
  PRESETS.flatMap((preset) => (preset.signs ?? []).flatMap((sign) => ("element" in sign ? [{ preset, sign }] : []))),
  ({ sign }) => sign.element,
);

/** Maximum number of elements to check for each name. Lines in a message are similar, so the first ones are enough. */
const MAX_CHECKED_ELEMENTS = 20;

/** Adds a note to the log if a message suggests that its sender needs a different profile. */
export class PresetDetector {
  readonly #profile: Profile;
  readonly #report: MessageReport;
  readonly #checksLeft = new Map<string, number>();

  constructor(profile: Profile, report: MessageReport) {
    this.#profile = profile;
    this.#report = report;
  }

  note(element: string, attributes: Attributes): void {
    const clues = CLUES_BY_ELEMENT.get(element);
    const checksLeft = this.#checksLeft.get(element) ?? MAX_CHECKED_ELEMENTS;
    if (!clues || checksLeft === 0) return;
    this.#checksLeft.set(element, checksLeft - 1);
    const matchingClue = clues.find(({ preset, sign }) => matchesSign(sign, attributes) && !isCovered(preset, sign, this.#profile));
    if (!matchingClue) return;
    this.#checksLeft.set(element, 0);
    this.#advise(matchingClue.preset);
  }

  /** Notes which profile or setting would accept a message that is refused because of its namespace. */
  noteNamespace(namespace: string): void {
    const preset = PRESETS.find(({ signs = [] }) => signs.some((sign) => "namespace" in sign && sign.namespace.test(namespace)));
    if (preset) this.#advise(preset);
    else this.#report.advise("to accept other namespaces: npm run sender -- set NAME --set namespace=any");
  }

  #advise({ name }: Preset): void {
    this.#report.advise(`this looks like a message for the ${name} profile: npm run sender -- set NAME --profile ${name}`);
  }
}

function matchesSign({ has, lacks = [] }: ElementSign, attributes: Attributes): boolean {
  const hasAttributes = Object.entries(has).every(([name, pattern]) => pattern.test(attributes.get(name)?.trim() ?? ""));
  return hasAttributes && lacks.every((name) => !attributes.get(name)?.trim());
}

/** Whether the sender's profile already has the preset's value, or another nondefault value, for the setting. */
function isCovered({ settings }: Preset, { knob }: ElementSign, profile: Profile): boolean {
  const own = profile[knob];
  const presetValue = settings[knob];
  if (typeof own === "object" && typeof presetValue === "object") return presetValue.every((text) => own.includes(text));
  return own !== DEFAULT_PROFILE[knob];
}
