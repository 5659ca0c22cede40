import { excerpt } from "../../../web/excerpt.ts";
import { counted } from "../../../web/parts/amount.ts";
import type { Stretch } from "./comparison.ts";

/** A line of a difference, indented; `gap` stands for lines of both that are left out. */
export type DifferenceLine = { of: Stretch["of"] | "gap"; text: string };

/** How many lines of both stand around one that differs. */
const AROUND = 3;
const LONGEST = 1_000;
const DEEPEST = 40;

/** What differs with some lines around it, as people read it. */
export function differenceLines(stretches: readonly Stretch[]): DifferenceLine[] {
  const last = stretches.length - 1;
  return indent(stretches).flatMap(({ of, lines }, at): DifferenceLine[] => {
    if (of !== "both") return lines.map((text) => ({ of, text }));
    const [before, after] = [at === 0 ? 0 : AROUND, at === last ? 0 : AROUND];
    const left = lines.length - before - after;
    if (left <= 1) return lines.map((text) => ({ of, text }));
    const gap = { of: "gap", text: `… ${counted(left, "line")} in both` } as const;
    const both = (some: readonly string[]) => some.map((text) => ({ of, text }));
    return [...both(lines.slice(0, before)), gap, ...both(lines.slice(lines.length - after))];
  });
}

/** Removed lines stand as deep as what came in their place. */
function indent(stretches: readonly Stretch[]): Stretch[] {
  let depth = 0;
  return stretches.map(({ of, lines }) => {
    let inner = depth;
    const indented = lines.map((line) => {
      const text = "  ".repeat(Math.max(0, Math.min(inner - Number(line.startsWith("</")), DEEPEST))) + excerpt(line, 0, LONGEST);
      inner += deeper(line);
      return text;
    });
    if (of !== "earlier") depth = inner;
    return { of, lines: indented };
  });
}

/** How much deeper the next line stands: an element that ends in its own line changes nothing. */
function deeper(line: string): number {
  return Number(/^<[^/!?]/.test(line)) - Number(line.endsWith("/>") || line.includes("</"));
}
