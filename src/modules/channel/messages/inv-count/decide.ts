import type { Attribute } from "../../../../calendar/attributes.ts";
import { writeElement, writeEmptyElement } from "../../../../xml/write.ts";
import type { Decision, DecisionContext } from "../../message.ts";
import { decideNights, writeControl, type LaneNightRange } from "../parts/nights-answer.ts";
import type { NightsQuery } from "../parts/nights-query.ts";
import { splitIntoRuns, type StoredLane } from "../parts/stored-lanes.ts";
import { closingLines } from "./closings.ts";

export function decideCounts(query: NightsQuery, context: DecisionContext): Decision {
  return decideNights(query, context, {
    list: "Inventories",
    groups: ["counts", "closed", "allotment"],
    linesOf: writeLines,
    // Closings come last, because counts after them would reopen the property.
    lastLines: closingLines,
  });
}

/** `CountType` for each attribute, from OpenTravel code list INV. A rate plan's count is its allotment. */
const COUNT_TYPES: ReadonlyMap<Attribute, number> = new Map([
  ["available", 2],
  ["physical", 1],
  ["outOfOrder", 6],
  ["offMarket", 9],
  ["allotment", 2],
]);

function* writeLines(lane: StoredLane, nights: LaneNightRange, context: DecisionContext): Generator<string, undefined> {
  for (const { values, ...range } of splitIntoRuns(lane, [...COUNT_TYPES.keys()], nights)) {
    const counts = [...values].map(([attribute, Count]) => writeEmptyElement("InvCount", { CountType: COUNT_TYPES.get(attribute), Count }));
    yield writeElement(
      "Inventory",
      {},
      writeEmptyElement("StatusApplicationControl", writeControl(lane, range, context)) + writeElement("InvCounts", {}, counts.join("")),
    );
  }
}
