import type { PlanFragment, PlanText } from "../../../../journal/plan-details.ts";
import type { Attributes } from "../../../../xml/handler.ts";
import type { Source } from "../../../../xml/source.ts";

/** Reads an element that is stored as sent, and its texts. */
export type FragmentReader = {
  open(name: string, attributes: Attributes): void;
  text(text: string): void;
  /** Answers the fragment when the element itself closes. */
  close(end: number): PlanFragment | undefined;
};

const FRAGMENTS: ReadonlySet<string> = new Set(["Supplement", "Offer", "Description"]);

/** Whether a part of a rate plan is stored as sent. */
export function isFragment(element: string): boolean {
  return FRAGMENTS.has(element);
}

const TEXTS: ReadonlySet<string> = new Set(["Text", "ListItem", "URL", "Image"]);

/** Starts with the element that opens at offset `at` of `source`. */
export function readFragment(source: Source, at: number, element: { name: string; attributes: Attributes }): FragmentReader {
  const texts: PlanText[] = [];
  const names = [nameOf(element.name, element.attributes)];
  const supplement = element.name === "Supplement" ? supplementOf(element.attributes) : undefined;
  let current: { name: string; language: string | undefined; text: string; depth: number } | undefined;

  return {
    open(name, attributes) {
      names.push(nameOf(name, attributes) ?? names.at(-1));
      if (supplement && name === "PrerequisiteInventory") supplement.key += ` ${keyOf(attributes)}`;
      if (TEXTS.has(name)) current = { name: names.at(-1) ?? "", language: attributes.get("Language"), text: "", depth: names.length };
    },
    text(text) {
      if (current) current.text += text;
    },
    close(end) {
      if (current?.depth === names.length) {
        const { name, language, text } = current;
        if (text.trim() !== "") texts.push({ name, language, text: text.trim() });
        current = undefined;
      }
      names.pop();
      return names.length === 0 ? { xml: source.slice(at, end), texts, ...supplement } : undefined;
    },
  };
}

function supplementOf(attributes: Attributes): Pick<PlanFragment, "start" | "end"> & { key: string } {
  const start = attributes.get("Start")?.trim().slice(0, DATE_LENGTH);
  const end = attributes.get("End")?.trim().slice(0, DATE_LENGTH);
  return { key: keyOf(attributes), start, end };
}

const DATE_LENGTH = "YYYY-MM-DD".length;

function keyOf(attributes: Attributes): string {
  return `${attributes.get("InvType")?.trim()} ${attributes.get("InvCode")?.trim()}`;
}

function nameOf(element: string, attributes: Attributes): string | undefined {
  return element === "Description" ? attributes.get("Name") : undefined;
}
