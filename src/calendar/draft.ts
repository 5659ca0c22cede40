import type { Attribute, Group } from "./attributes.ts";
import { decodePage } from "./codec.ts";
import type { LaneKey } from "./lane.ts";
import { weekFrom } from "./night.ts";
import { type DayMask, EVERY_DAY } from "./operation.ts";
import { emptyPage, NOTHING, type Page, runsOf } from "./page.ts";
import { copyOf, type Runs, setCells, setWeekly } from "./runs.ts";

/** A page as it is stored. */
export type StoredPage = LaneKey & { span: number; bytes: Uint8Array };

/** A page that was written to; `before` holds the old cells of each column that was. */
export type Touched = { page: Page; stored: Uint8Array | undefined; before: Map<Attribute, Runs | undefined> };

/** A page that operations work on; in `replaced` the nights have 1 whose older values of a group were cleared, if any were. */
export type Draft = Touched & { replaced: Map<Group, Runs> | undefined };

/** The pages of one category and lane; a draft is made when an operation first comes to it. */
export type LaneDrafts = LaneKey & { stored: Map<number, Uint8Array>; drafts: Map<number, Draft> };

/** Cells `from` to `to` of a page, both included, whose weekday is in `days`. */
export type Stretch = { from: number; to: number; days: DayMask };

/** The draft of a page: the existing one, else made from the stored page, else empty. */
export function draftOf(lane: LaneDrafts, span: number): Draft {
  const known = lane.drafts.get(span);
  if (known) return known;
  const stored = lane.stored.get(span);
  const page = stored ? decodePage(span, stored) : emptyPage(span);
  const made = { page, stored, before: new Map(), replaced: undefined };
  lane.drafts.set(span, made);
  return made;
}

/** Puts `cell` into the column's nights of the stretch. */
// oxlint-disable-next-line max-params -- called for each column of each line, so that it makes no object
export function write(draft: Draft, column: Attribute, stretch: Stretch, cell: number): void {
  if (cell === NOTHING && !draft.page.columns.has(column)) return;
  setStretch(writable(draft, column), draft.page, stretch, cell);
}

/** Puts `cell` into the nights of the stretch of a page. */
// oxlint-disable-next-line max-params -- called for each column of each line, so that it makes no object
export function setStretch(runs: Runs, { first }: Page, { from, to, days }: Stretch, cell: number): void {
  if (days === EVERY_DAY) setCells(runs, from, to + 1, cell);
  else setWeekly(runs, from, to + 1, cell, weekFrom(first, days));
}

function writable(draft: Draft, column: Attribute): Runs {
  if (!draft.before.has(column)) {
    const runs = draft.page.columns.get(column);
    draft.before.set(column, runs && copyOf(runs));
  }
  return runsOf(draft.page, column);
}
