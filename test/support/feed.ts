import assert from "node:assert/strict";
import type { TestApp } from "./app.ts";

export type Run = { first: string; last: string; values?: Record<string, unknown> };
export type Row = { property: string; kind: string; category?: string; room?: string; plan?: string; nights?: Run[] };
export type Change = Row & { cursor: string; time: string; message?: number };
export type Answer = { changes: Change[]; cursor: string; more: boolean };

export async function readFeed(service: TestApp, query = ""): Promise<Answer> {
  const answer = await service.inject(`/changes?${query}`);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json<Answer>();
}

/** Returns the body of a successful response. */
export type Read = (path: string) => Promise<string>;

export function readFrom(service: TestApp): Read {
  return async (path) => {
    const answer = await service.inject(path);
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.body;
  };
}

/** Reads whole events of a stream. The id of an event is the cursor after it. */
export function parseEvents(blocks: readonly string[]): { changes: Change[]; cursor: string }[] {
  return blocks.flatMap((block) => {
    const [, cursor] = /^id: (.*)$/m.exec(block) ?? [];
    const [, data] = /^data: (.*)$/m.exec(block) ?? [];
    return cursor === undefined ? [] : [{ changes: data === undefined ? [] : [JSON.parse(data) as Change], cursor }];
  });
}

/** Returns the lines of NDJSON. The last one contains the cursor. */
export function parseLines<T>(body: string): { rows: T[]; cursor: string } {
  const rows = body
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as T & { cursor: string });
  return { rows, cursor: rows.pop()!.cursor };
}

/** A consumer's copy of the nights: their values in JSON, by row and night. */
export class NightCopy {
  readonly nights = new Map<string, string>();

  apply({ property, kind, category, room, plan, nights = [] }: Row): void {
    for (const { first, last, values = {} } of nights) {
      for (let at = Date.parse(first); at <= Date.parse(last); at += 86_400_000) {
        const key = JSON.stringify([property, kind, category, room, plan, new Date(at).toISOString().slice(0, 10)]);
        if (Object.keys(values).length === 0) this.nights.delete(key);
        else this.nights.set(key, JSON.stringify(values));
      }
    }
  }

  /** Loads the snapshots of counts and rates, and returns the cursor to continue from. */
  async load(read: Read): Promise<string> {
    const loaded: string[] = [];
    for (const grid of ["inventories", "rates"]) {
      const { rows, cursor } = parseLines<Row>(await read(`/${grid}?format=ndjson`));
      for (const row of rows) this.apply(row);
      loaded.push(cursor);
    }
    return loaded[0]!;
  }

  /** Applies all changes after a cursor and returns the cursor after them. */
  async follow(service: TestApp, after: string): Promise<string> {
    for (let cursor = after; ;) {
      const page = await readFeed(service, `include=values&limit=3&after=${cursor}`);
      for (const change of page.changes) this.apply(change);
      if (!page.more) return page.cursor;
      ({ cursor } = page);
    }
  }

  /** Describes each night whose values differ. */
  differences(other: NightCopy): string[] {
    const keys = [...new Set([...this.nights.keys(), ...other.nights.keys()])];
    const differing = keys.filter((key) => this.nights.get(key) !== other.nights.get(key));
    return differing.map((key) => `${key}: ${this.nights.get(key)} instead of ${other.nights.get(key)}`);
  }

  sorted(): [string, string][] {
    return [...this.nights].toSorted(([a], [b]) => (a < b ? -1 : 1));
  }
}
