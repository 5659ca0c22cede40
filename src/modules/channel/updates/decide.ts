import { type Group, pageKind } from "../../../calendar/attributes.ts";
import { DAY_MS } from "../../../calendar/night.ts";
import type { Operation } from "../../../calendar/operation.ts";
import type { CompleteSet } from "../../../journal/work.ts";
import { isDistribution } from "../elements/words.ts";
import type { Decision, DecisionContext, HotelRequest } from "../message.ts";
import { completeSetRequested } from "../ota-error.ts";
import { DecisionBuilder } from "./decision-builder.ts";
import { Narrowings } from "./narrowing.ts";
import { setOnlyCategories } from "./only-category.ts";
import { PageSet } from "./pages.ts";
import { StoredNights } from "./stored-nights.ts";
import type { Update, UpdateMessage } from "./update.ts";

export function updatesRequest(message: UpdateMessage): HotelRequest {
  const { hotel, lines } = message;
  return {
    kind: "hotel",
    hotel,
    lines,
    pages: pageRequests(message),
    hasChannels: hasChannels(message.updates),
    decide: (context) => decideUpdates(message, context),
  };
}

function hasChannels(updates: readonly Update[]): boolean {
  return updates.some(({ narrowedBy }) => narrowedBy.some(({ name }) => isDistribution(name)));
}

function pageRequests({ updates, replaces }: UpdateMessage): HotelRequest["pages"] {
  const pages = new PageSet();
  for (const update of updates) pages.addUpdate(update);
  if (replaces) pages.addAllPages();
  return pages.list();
}

/** Decides the updates. A complete set without updates clears all values of its kind. */
function decideUpdates({ updates, replaces, dueSet }: UpdateMessage, context: DecisionContext): Decision {
  if (dueSet && !replaces) warnIfSetIsDue(context, dueSet);
  const narrowings = new Narrowings(
    context,
    updates.flatMap(({ narrowedBy }) => narrowedBy),
  );
  const ownUpdates = setOnlyCategories(updates, context).filter((update) => narrowings.allow(update));
  const builder = new DecisionBuilder(context, { updates: ownUpdates, stored: new StoredNights(replaces ? [] : context.pages) });
  for (const update of ownUpdates) builder.apply(update);
  // If all lines of a complete set are for other distribution channels, it clears nothing.
  const clearOperations = updates.length === 0 || ownUpdates.length > 0 ? replaces : undefined;
  const { summary, operations, plans } = builder.finish();
  return {
    operations: clearOperations ? [...clearFromToday(clearOperations, context), ...operations] : operations,
    plans,
    distribution: narrowings.distribution.first,
    summary: clearOperations ? summarizeCompleteSet(updates.length, summary) : summary,
    completeSet: clearOperations?.includes("counts") ? "counts" : undefined,
  };
}

function clearFromToday(groups: readonly Group[], { today }: DecisionContext): Operation[] {
  return [...Map.groupBy(groups, pageKind)].map(([kind, same]) => ({ type: "clear", kind, groups: same, from: today }));
}

function summarizeCompleteSet(updates: number, summary: string): string {
  return updates === 0 ? "Reset: all values stored for the hotel were cleared" : `Complete set: ${summary}`;
}

/** Maximum age of the last complete set. If it is older, a new one is requested. */
const COMPLETE_SET_INTERVAL_MS = 2 * DAY_MS;

/** Requests a complete set from the sender if the property's last one is too old and the dialect supports it. */
export function warnIfSetIsDue({ dialect, completeSets, now, report }: DecisionContext, kind: CompleteSet): void {
  const last = completeSets[kind] ?? now;
  if (dialect.requestsCompleteSets && now - last > COMPLETE_SET_INTERVAL_MS) report.warn(completeSetRequested(kind));
}
