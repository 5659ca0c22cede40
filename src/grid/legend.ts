import { ALL_GROUPS, attributesIn, findDefinition, type Group, type NamedAttribute } from "../calendar/attributes.ts";
import { isClosedState, SALE_STATES, type SaleState, type Verdict } from "../calendar/verdict.ts";
import { mapHtml, type Html, html, emptyHtml } from "../web/html.ts";
import type { GridQuery } from "./query.ts";
import { codeBadge, changeMark } from "./table.ts";

type BadgeDefinition = {
  name: NamedAttribute;
  example: string;
  meaning: string;
  from: number;
  upper: NamedAttribute | undefined;
};

const BADGES_BY_GROUP: ReadonlyMap<Group, readonly BadgeDefinition[]> = new Map(
  ALL_GROUPS.map((group) => [group, attributesIn(group).flatMap(attributeBadges)]),
);

function attributeBadges(name: NamedAttribute): BadgeDefinition[] {
  const { badge: example, label, meaning = label, from = 0, upper } = findDefinition(name);
  return example === undefined ? [] : [{ name, example, meaning, from, upper: upper as NamedAttribute | undefined }];
}

type NightValues = Readonly<Partial<Record<NamedAttribute, unknown>>>;

/** Draws a night's badges. Symbols have text for screen readers. */
export function nightBadges(groups: readonly Group[], night: NightValues): Html {
  return html`${groupBadges(groups, night).map(({ text, meaning }) => badgeHtml(text, meaning))}`;
}

function groupBadges(groups: readonly Group[], night: NightValues): { text: string; meaning: string }[] {
  return groups.flatMap((group) =>
    BADGES_BY_GROUP.get(group)!.flatMap(({ meaning, ...definition }) => {
      const text = badgeText(definition, night);
      return text === undefined ? [] : [{ text, meaning }];
    }),
  );
}

function badgeHtml(text: string, meaning: string): Html {
  return isSymbol(text) ? html` <i role="img" aria-label="${meaning}">${text}</i>` : codeBadge(text);
}

/**
 * Draws one symbol that represents a night's badges and the reason why it is not for sale. A single short badge is its own symbol. Screen
 * readers read out all badges.
 */
export function nightSymbol(verdict: Verdict, groups: readonly Group[], night: NightValues): Html {
  const state = stateBadge(verdict.state);
  const badges = groupBadges(groups, night);
  const badgeTexts = badges.map(({ text, meaning }) => (isSymbol(text) ? meaning : text));
  const all = state === undefined ? badgeTexts : [state, ...badgeTexts];
  if (all.length === 0) return emptyHtml;
  return html` <i role="img" aria-label="${all.join(", ")}">${state === undefined ? badgeSymbol(badges) : stateSymbol(verdict.state)}</i>`;
}

const MAX_SYMBOL_LENGTH = 2;

function badgeSymbol(badges: readonly { text: string }[]): string {
  const [first, ...others] = badges;
  return first !== undefined && others.length === 0 && isShortText(first.text) ? first.text : STATE_SYMBOLS.limit;
}

function isShortText(text: string): boolean {
  return text.length <= MAX_SYMBOL_LENGTH;
}

const STATE_SYMBOLS = { closed: "×", soldOut: "0", missing: "!", limit: "•" };

function stateSymbol(state: SaleState): string {
  if (state === "sold out") return STATE_SYMBOLS.soldOut;
  return isClosedState(state) ? STATE_SYMBOLS.closed : STATE_SYMBOLS.missing;
}

/** Returns the legend for a grid that shows symbols. */
export function symbolEntries(groups: readonly Group[]): LegendEntry[] {
  const shortBadges = groups.flatMap((group) => BADGES_BY_GROUP.get(group)!.filter(({ example }) => isShortText(example)));
  return [
    badgeEntry(STATE_SYMBOLS.closed, "closed, inactive or not opened"),
    badgeEntry(STATE_SYMBOLS.soldOut, "sold out"),
    badgeEntry(STATE_SYMBOLS.missing, "no count or no price"),
    ...shortBadges.map(({ example, meaning }) => badgeEntry(example, meaning)),
    badgeEntry(STATE_SYMBOLS.limit, "multiple or other limits; select the cell to see them"),
  ];
}

function isSymbol(text: string): boolean {
  return !/\w/.test(text);
}

function badgeText({ name, example, from, upper }: Omit<BadgeDefinition, "meaning">, night: NightValues): string | undefined {
  const value = night[name];
  const [code = ""] = example.split(" ");
  if (upper !== undefined) return rangeText(code, value, night[upper]);
  if (value === true) return code;
  if (typeof value === "string") return `${code} ${shortenText(value)}`;
  if (typeof value !== "number" || value < from) return undefined;
  return /^\d/.test(example) ? example.replace(/^\d+/, String(value)) : `${code} ${value}`;
}

function rangeText(code: string, min: unknown, max: unknown): string | undefined {
  const hasMinimum = typeof min === "number" && min > 0;
  if (typeof max === "number") return hasMinimum ? `${code} ${min}-${max}` : `${code} max ${max}`;
  return hasMinimum ? `${code} min ${min}` : undefined;
}

const MAX_BADGE_LENGTH = 8;

function shortenText(text: string): string {
  return text.length > MAX_BADGE_LENGTH ? `${text.slice(0, MAX_BADGE_LENGTH)}…` : text;
}

export type LegendEntry = { cell?: string; shows: Html; meaning: string };

export function badgeEntries(groups: readonly Group[]): LegendEntry[] {
  return groups.flatMap((group) => BADGES_BY_GROUP.get(group)!.map(({ example, meaning }) => badgeEntry(example, meaning)));
}

/** Returns legend entries for nights that are not for sale. States with the same badge share an entry. */
export function saleEntries(states: readonly SaleState[]): LegendEntry[] {
  const statesByBadge = Map.groupBy(states, stateBadge);
  return [...statesByBadge].flatMap(([text, all]) =>
    text === undefined ? [] : badgeEntry(text, all.map((state) => SALE_STATES[state].meaning).join(", or ")),
  );
}

/** Returns a one-word badge that says why a night is not for sale. */
export function saleBadge({ state }: Verdict): Html {
  const text = stateBadge(state);
  return text === undefined ? emptyHtml : codeBadge(text);
}

function stateBadge(state: SaleState): string | undefined {
  const definition: { meaning: string; badge?: string } = SALE_STATES[state];
  return definition.badge;
}

export function badgeEntry(code: string, meaning: string): LegendEntry {
  return { shows: html`<i${isSymbol(code) ? html` aria-hidden="true"` : emptyHtml}>${code}</i>`, meaning };
}

const CHANGED_ENTRY: LegendEntry = { cell: "marked", shows: changeMark, meaning: "changed in the last day" };

const COMPARED_ENTRY: LegendEntry = {
  shows: html`<em class="up">+5</em> <em class="down">−5</em>`,
  meaning: "difference, and the value compared with",
};

export function gridLegend({ compare }: GridQuery, entries: readonly LegendEntry[], hint: string): Html {
  return html`<section class="legend" id="legend" popover aria-label="Legend">
    <h2>Legend</h2>
    <dl>${mapHtml([...entries, compare === undefined ? CHANGED_ENTRY : COMPARED_ENTRY], legendEntry)}</dl>
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
