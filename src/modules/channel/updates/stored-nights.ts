import { type Attribute, type Group, findGroup } from "../../../calendar/attributes.ts";
import { decodePage } from "../../../calendar/codec.ts";
import type { StoredPage } from "../../../calendar/draft.ts";
import { laneName, type LaneKey } from "../../../calendar/lane.ts";
import { weekdayBit } from "../../../calendar/night.ts";
import type { Page } from "../../../calendar/page.ts";
import { cellAt, SPAN_DAYS } from "../../../calendar/runs.ts";
import type { WeekdayRange } from "./update.ts";

/** Looks up night values from before the message. Decodes pages on first use. */
export class StoredNights {
  readonly #pages: ReadonlyMap<string, readonly StoredPage[]>;
  readonly #decoded = new Map<string, readonly Page[]>();

  constructor(pages: readonly StoredPage[]) {
    this.#pages = Map.groupBy(pages, laneName);
  }

  has(attribute: Attribute, lane: LaneKey, range: WeekdayRange): boolean {
    return this.#decode(lane, findGroup(attribute)!).some((page) => hasValue(page, attribute, range));
  }

  #decode(lane: LaneKey, group: Group): readonly Page[] {
    const name = laneName(lane);
    const decode = () => (this.#pages.get(name) ?? []).map(({ span, bytes }) => decodePage(span, bytes, [group]));
    return this.#decoded.getOrInsertComputed(`${group}\n${name}`, decode);
  }
}

function hasValue({ first, columns }: Page, attribute: Attribute, range: WeekdayRange): boolean {
  const runs = columns.get(attribute);
  if (!runs) return false;
  const last = Math.min(range.last, first + SPAN_DAYS - 1);
  for (let night = Math.max(range.first, first); night <= last; night++)
    if (range.days & weekdayBit(night) && cellAt(runs, night - first) >= 0) return true;
  return false;
}
