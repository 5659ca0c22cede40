import assert from "node:assert/strict";
import { START, type TestApp } from "./app.ts";

export type Group = {
  id: number;
  count: number;
  class: string;
  message: string;
  source: string;
  firstAt: string;
  lastAt: string;
  lastId: number;
  state: string;
  why: string;
  since: string;
  mutedUntil: string | null;
  hours: number[];
};
type Groups = { groups: Group[]; next: string | null; ungrouped: boolean };

/** Reads the groups as JSON. `query` is appended to the URL, for example `&state=all`. */
export async function listGroups(service: TestApp, query = ""): Promise<Groups> {
  return (await service.inject(`/tools/errors?view=groups&format=json${query}`)).json<Groups>();
}

/** Creates two groups, one second between entries: three requests for unknown URLs, and two script errors. */
export async function createErrors(service: TestApp): Promise<void> {
  for (const [index, name] of ["a", "b", "c1f0a2b3"].entries()) {
    service.clock.set(START + index * 1000);
    await service.inject(`/${name}`);
  }
  for (const message of ["Room 7 of 12 is <b>gone</b>", "Room 8 of 120 is <b>gone</b>"]) {
    service.clock.set(service.clock.now() + 1000);
    await sendReport(service, { message, class: "RangeError" });
  }
}

export async function sendReport(service: TestApp, fields: { message: string; class?: string }): Promise<void> {
  const headers = { "content-type": "application/json" };
  await service.inject({ method: "POST", url: "/_errors/log", headers, payload: JSON.stringify(fields) });
}

/** Requests an unknown URL. Returns the ID of its entry. */
export async function createEntry(service: TestApp): Promise<number> {
  await service.inject("/unknown");
  return (await service.inject("/tools/errors?format=json")).json<{ errors: { id: number }[] }>().errors[0]!.id;
}

/** Requests an unknown URL, then posts `fields` for all groups. */
export async function changeAllGroups(service: TestApp, fields: Record<string, string>): Promise<void> {
  await createEntry(service);
  const visitor = service.visitor();
  const { body } = await visitor.get("/tools/errors?view=groups&state=all");
  const group = [...body.matchAll(/name="group" value="(\d+)"/g)].map(([, id]) => id!);
  assert.equal((await visitor.post("/tools/errors?view=groups", { ...fields, group })).statusCode, 303);
}
