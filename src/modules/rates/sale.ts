import { formatNight } from "../../calendar/night.ts";
import { type GridScene, gridLink } from "../../grid/scene.ts";
import { type Html, html } from "../../web/html.ts";
import type { PricedNight, RateRow, SaleState } from "./row.ts";

/** Why a night cannot be sold: the code that says it in a cell, and what that means. */
export const REASONS = {
  "stop sell": ["STOPPED", "stop sell of the whole category"],
  "sold out": ["SOLD OUT", "no room, or no allotment, is left"],
  "no count": ["NO COUNT", "no count of rooms was received"],
  "no price": ["NO PRICE", "no amount was received"],
  "hotel closed": ["CLOSED", "the hotel is closed"],
  "not active": ["INACTIVE", "the category or its property is inactive"],
  "not opened": ["NOT OPEN", "never opened; this property sells only what was opened"],
} as const satisfies Partial<Record<SaleState, readonly [code: string, means: string]>>;

/**
 * Whether the night whose history is shown is on sale, or why not; undefined where its row is not shown or has nothing for it, or where only
 * the prices of rate plans are missing, as they have rows of their own.
 */
export function saleOfNight(scene: GridScene, rows: readonly RateRow[]): Html | undefined {
  const { night, nightRow } = scene.query;
  const row = rows.find(({ category, plan }) => category.code === nightRow.category && plan === nightRow.plan);
  const found = night === undefined ? undefined : row?.nights[night - scene.first];
  if (!found?.received || (nightRow.plan === "" && found.sale === "no price")) return undefined;
  return saleInWords(scene, found);
}

/** A stop sell of the whole category leads to its own night. */
function saleInWords(scene: GridScene, { sale, rate }: PricedNight): Html {
  if (sale === "sellable") return html`yes`;
  if (sale === "past") return html`no: the night is past`;
  const [, means] = REASONS[sale];
  if (sale !== "stop sell") return html`no: ${means}`;
  return rate.stopSell ? html`no: stop sell` : html`no: <a href="${generalNight(scene)}">${means}</a>`;
}

function generalNight(scene: GridScene) {
  const { night, nightRow } = scene.query;
  return gridLink(scene, { plan: "", only: "", nightCategory: nightRow.category, night: formatNight(night!) });
}
