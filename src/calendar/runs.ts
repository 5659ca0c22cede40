/** Number of nights per page. Never change it, because stored pages would become unreadable. */
export const SPAN_DAYS = 384;

/**
 * A column's cells as runs of identical cells: run `k` ends before night `ends[k]` and has the cell `cells[k]`. Adjacent runs have
 * different cells, and the last run ends with the page.
 */
export type Runs = { ends: number[]; cells: number[] };

export function uniformRuns(cell: number): Runs {
  return { ends: [SPAN_DAYS], cells: [cell] };
}

export function runsFrom(cellOf: (night: number) => number): Runs {
  const runs: Runs = { ends: [], cells: [] };
  for (let night = 0; night < SPAN_DAYS; night++) appendRun(runs, night + 1, cellOf(night));
  return runs;
}

export function isUniform({ cells }: Runs, cell: number): boolean {
  return cells.length === 1 && cells[0] === cell;
}

export function copyRuns({ ends, cells }: Runs): Runs {
  return { ends: ends.slice(), cells: cells.slice() };
}

export function cellAt(runs: Runs, night: number): number {
  return runs.cells[findRunIndex(runs, night)]!;
}

export function runEnd(runs: Runs, night: number): number {
  return runs.ends[findRunIndex(runs, night)]!;
}

export function expandRuns({ ends, cells }: Runs): number[] {
  const cellsByNight = Array<number>(SPAN_DAYS).fill(0);
  for (let night = 0, run = 0; night < SPAN_DAYS; night++) {
    if (night === ends[run]) run++;
    cellsByNight[night] = cells[run]!;
  }
  return cellsByNight;
}

/** Returns the index of the run that contains a night. Tries the last run first, because nights are mostly set in ascending order. */
function findRunIndex({ ends }: Runs, night: number): number {
  let low = 0;
  let high = ends.length - 1;
  if (high === 0 || ends[high - 1]! <= night) return high;
  while (low < high) {
    const middleIndex = (low + high) >> 1;
    if (ends[middleIndex]! <= night) low = middleIndex + 1;
    else high = middleIndex;
  }
  return low;
}

export function appendRun({ ends, cells }: Runs, end: number, cell: number): void {
  const last = cells.length - 1;
  if (last >= 0 && cells[last] === cell) ends[last] = end;
  else {
    ends.push(end);
    cells.push(cell);
  }
}

// oxlint-disable-next-line max-params -- called for each column of each line; avoids allocating an object
export function setCells(runs: Runs, from: number, end: number, cell: number): void {
  const { ends, cells } = runs;
  let first = findRunIndex(runs, from);
  let last = first;
  while (ends[last]! < end) last++;
  const start = first === 0 ? 0 : ends[first - 1]!;
  if (start === from && ends[first] === end && cells[first - 1] !== cell && cells[first + 1] !== cell) {
    cells[first] = cell;
    return;
  }
  const head = cells[first]!;
  const tail = cells[last]!;
  const tailEnd = ends[last]!;
  const keepsHead = start < from && head !== cell;
  const keepsTail = end < tailEnd && tail !== cell;
  if (start === from && first > 0 && cells[first - 1] === cell) first--;
  if (end === tailEnd && cells[last + 1] === cell) last++;
  const stopNight = keepsTail ? end : ends[last]!;
  const addedRunCount = Number(keepsHead) + Number(keepsTail) - (last - first);
  shiftEntries(ends, first, addedRunCount);
  shiftEntries(cells, first, addedRunCount);
  if (keepsHead) {
    ends[first] = from;
    cells[first++] = head;
  }
  ends[first] = stopNight;
  cells[first] = cell;
  if (keepsTail) {
    ends[first + 1] = tailEnd;
    cells[first + 1] = tail;
  }
}

/**
 * Like `setCells`, but only for nights `k` with bit `k % 7` in `week`. Makes a single pass, because setting each week separately would
 * shift all later runs each time.
 */
// oxlint-disable-next-line max-params -- called for each column of each line; avoids allocating an object
export function setCellsWeekly(runs: Runs, from: number, end: number, cell: number, week: number): void {
  const { ends, cells } = runs;
  let run = findRunIndex(runs, from);
  runs.ends = ends.slice(0, run);
  runs.cells = cells.slice(0, run);
  if (from > (ends[run - 1] ?? 0)) appendRun(runs, from, cells[run]!);
  for (let night = from; night < end;) {
    const isSet = (week >> (night % 7)) & 1;
    const stopNight = isSet ? end : Math.min(end, ends[run]!);
    for (night++; night < stopNight && ((week >> (night % 7)) & 1) === isSet;) night++;
    appendRun(runs, night, isSet ? cell : cells[run]!);
    while (ends[run]! <= night) run++;
  }
  for (; run < ends.length; run++) appendRun(runs, ends[run]!, cells[run]!);
}

/** Moves the items from index `at` onwards by `by` positions. Faster than `splice` or setting `length`. */
function shiftEntries(list: number[], at: number, by: number): void {
  const { length } = list;
  if (by < 0) {
    for (let i = at - by; i < length; i++) list[i + by] = list[i]!;
    for (let i = by; i < 0; i++) list.pop();
  } else if (by > 0) {
    for (let i = 0; i < by; i++) list.push(0);
    for (let i = length - 1; i >= at; i--) list[i + by] = list[i]!;
  }
}

// oxlint-disable-next-line max-params -- called for each changed run; avoids allocating an object
export function setBits(runs: Runs, from: number, end: number, bits: number): void {
  for (let at = from; at < end;) {
    const run = findRunIndex(runs, at);
    const stopNight = Math.min(end, runs.ends[run]!);
    setCells(runs, at, stopNight, runs.cells[run]! | bits);
    at = stopNight;
  }
}

// oxlint-disable-next-line max-params -- called for each changed run; avoids allocating an object
export function copyCells(target: Runs, source: Runs, from: number, end: number): void {
  for (let run = findRunIndex(source, from), at = from; at < end; run++) {
    const stopNight = Math.min(end, source.ends[run]!);
    setCells(target, at, stopNight, source.cells[run]!);
    at = stopNight;
  }
}
