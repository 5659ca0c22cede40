import type { CsvColumn } from "./csv.ts";

type Value = string | number | boolean | undefined;

/** A record with the times of its first and last edit, in milliseconds since 1970. */
export type Timed = { createdAt: number; updatedAt: number };

/** A record as JSON: the names of the form, times as ISO 8601 in UTC. */
export function toData<Thing extends Timed>({ createdAt, updatedAt, ...fields }: Thing) {
  return { ...fields, createdAt: iso(createdAt), updatedAt: iso(updatedAt) };
}

/** Times in milliseconds since 1970 as ISO 8601 in UTC; absent ones stay so. */
export function toTimes(times: Readonly<Record<string, number | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(times).flatMap(([name, at]) => (at === undefined ? [] : [[name, iso(at)]])));
}

/** The columns of a record as CSV: these fields and its times, each under its name. */
export function columnsOf<Name extends string>(names: readonly Name[]): readonly CsvColumn<Readonly<Record<Name, Value>> & Timed>[] {
  return [
    ...names.map((head) => ({ head, cell: (record: Readonly<Record<Name, Value>>) => record[head] })),
    { head: "createdAt", cell: ({ createdAt }) => iso(createdAt) },
    { head: "updatedAt", cell: ({ updatedAt }) => iso(updatedAt) },
  ];
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
