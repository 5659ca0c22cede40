import { type Group, findGroup, type AttributeMap } from "./attributes.ts";
import type { LaneKey, LaneNights } from "./lane.ts";
import type { Night } from "./night.ts";
import { EVERY_DAY, type Operation } from "./operation.ts";

/** A lane's nights, starting with the night `first`. */
export type CopySource = Pick<LaneNights, "columns" | "setters"> & { first: Night; count: number };

type CopyTarget = { lane: LaneKey; group: Group; includes(index: number): boolean };

/** Returns operations that copy `source` to the included nights of a lane. If a night has no values in `source`, it is cleared in the lane. */
export function copyNights(source: CopySource, { lane, group, includes }: CopyTarget): Operation[] {
  const operations: Operation[] = [];
  for (let start = 0; start < source.count;) {
    const text = includes(start) ? textAt(source, group, start) : undefined;
    let end = start + 1;
    while (end < source.count && text === (includes(end) ? textAt(source, group, end) : undefined)) end++;
    if (text !== undefined) operations.push(operationFor(source, { lane, group }, { start, end }));
    start = end;
  }
  return operations;
}

/** Whether the source has a value in any group for a night. */
export function hasNight({ setters }: Pick<CopySource, "setters">, index: number): boolean {
  return [...setters.values()].some((ids) => ids[index] !== undefined);
}

function textAt(source: CopySource, group: Group, index: number): string {
  return isSet(source, group, index) ? JSON.stringify([...valuesAt(source, group, index)]) : "";
}

function isSet({ setters }: CopySource, group: Group, index: number): boolean {
  return setters.get(group)?.[index] !== undefined;
}

function valuesAt({ columns }: CopySource, group: Group, index: number): AttributeMap {
  const own = [...columns].filter(([attribute, values]) => findGroup(attribute) === group && values[index] !== undefined);
  return new Map(own.map(([attribute, values]) => [attribute, values[index]]));
}

type Run = { start: number; end: number };

function operationFor(source: CopySource, { lane, group }: Omit<CopyTarget, "includes">, { start, end }: Run): Operation {
  const [first, last] = [source.first + start, source.first + end - 1];
  if (!isSet(source, group, start)) return { ...lane, type: "clear", groups: [group], from: first, to: last };
  const values = valuesAt(source, group, start);
  return { ...lane, type: "assign", first, last, days: EVERY_DAY, group, replace: true, values };
}
