import { ALL_GROUPS, attributesIn, definitionOf, type Group, type NamedAttribute } from "../calendar/attributes.ts";
import { each, type Html, html } from "../web/html.ts";

type Badge = { name: NamedAttribute; code: string; example: string; meaning: string; from: number; upper: NamedAttribute | undefined };

const BADGES: ReadonlyMap<Group, readonly Badge[]> = new Map(ALL_GROUPS.map((group) => [group, attributesIn(group).flatMap(badgeOf)]));

function badgeOf(name: NamedAttribute): Badge[] {
  const { badge: example, label, meaning = label, from = 0, upper } = definitionOf(name);
  return example === undefined
    ? []
    : [{ name, code: example.split(" ")[0]!, example, meaning, from, upper: upper as NamedAttribute | undefined }];
}

type NightValues = Readonly<Partial<Record<NamedAttribute, unknown>>>;

export function nightBadges(groups: readonly Group[], night: NightValues): string[] {
  return groups.flatMap((group) => BADGES.get(group)!.flatMap((badge) => badgeText(badge, night) ?? []));
}

function badgeText({ name, code, from, upper }: Badge, night: NightValues): string | undefined {
  const value = night[name];
  if (upper !== undefined) return rangeText(code, value, night[upper]);
  if (value === true) return code;
  if (typeof value === "string") return `${code} ${shortened(value)}`;
  return typeof value === "number" && value >= from ? `${code} ${value}` : undefined;
}

function rangeText(code: string, min: unknown, max: unknown): string | undefined {
  const hasMin = typeof min === "number" && min > 0;
  if (typeof max === "number") return hasMin ? `${code} ${min}-${max}` : `${code} max ${max}`;
  return hasMin ? `${code} min ${min}` : undefined;
}

const MAX_LENGTH = 8;

function shortened(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

export type LegendEntry = { cell?: string; shows: Html; meaning: string };

export function badgeEntries(groups: readonly Group[]): LegendEntry[] {
  return groups.flatMap((group) => BADGES.get(group)!.map(({ example, meaning }) => badgeEntry(example, meaning)));
}

export function badgeEntry(code: string, meaning: string): LegendEntry {
  return { shows: html`<i>${code}</i>`, meaning };
}

export function gridLegend(entries: readonly LegendEntry[], hint: string): Html {
  return html`<section class="legend" aria-label="Legend">
    <h2>Legend</h2>
    <dl>${each(entries, legendEntry)}</dl>
    <p class="hint">${hint}</p>
  </section>`;
}

function legendEntry({ cell, shows, meaning }: LegendEntry): Html {
  const sample = cell === undefined ? html`<dt>${shows}</dt>` : html`<dt class="sample ${cell}">${shows}</dt>`;
  return html`<div>
    ${sample}
    <dd>${meaning}</dd>
  </div>`;
}
