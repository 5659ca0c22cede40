import { type Attribute, isAmount } from "../calendar/attributes.ts";
import { type Html, html, emptyHtml } from "../web/html.ts";
import { type AttributeChange, attributeLabel, valueText } from "./changes.ts";
import { labelledSparkline } from "./sparkline.ts";

type CurveEvent = { at: number; changes: readonly AttributeChange[] };

/** `events` are the night's changes, newest first. `until` is the time at the right edge, in milliseconds since 1970. */
type NightCurve = { events: readonly CurveEvent[]; until: number; currency: string };

const MAX_POINTS = 60;

/** Draws the free rooms, or the price that changed most often, since the first change. Draws nothing if there is only one value. */
export function nightCurve({ events, until, currency }: NightCurve): Html {
  const steps = events.toReversed().flatMap(({ at, changes }) => changes.map((change) => ({ at, ...change })));
  const column = mostChangedAttribute(steps.map((step) => step.column).filter((one) => one === "available" || isAmount(one)));
  if (column === undefined) return emptyHtml;
  const columnSteps = steps.filter((step) => step.column === column);
  if (columnSteps.length < 2) return emptyHtml;
  const start = columnSteps[0]!.at;
  const format = (value: number) => valueText(column, value, currency);
  const values = Array.from({ length: MAX_POINTS }, (_, point) => {
    const at = start + ((until - start) * (point + 1)) / MAX_POINTS;
    const value = columnSteps.findLast((step) => step.at <= at)?.to;
    return value === undefined ? undefined : Number(value);
  });
  const title = `${attributeLabel(column)} since the first change`;
  return html`<p>
    ${labelledSparkline({ values, baseline: 0, title, format, unit: column === "available" ? "free rooms" : "", emptyText: "" })} since the
    first change
  </p>`;
}

function mostChangedAttribute(columns: readonly Attribute[]): Attribute | undefined {
  const counts = Map.groupBy(columns, (column) => column);
  return [...counts].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];
}
