import { inOwnProcess } from "../../support/own-process.ts";

export type Flood = {
  url: string;
  connections: number;
  seconds: number;
  headers: Readonly<Record<string, string>>;
  /** Value of the Content-Length header, if it differs from the length of the body. */
  declaredLength?: number;
  body: string;
  /** If set, one more byte is sent at this interval after the body. */
  trickleMs?: number;
};

/** The number of responses by status, and of connections that closed before a response arrived. */
export type FloodResult = { statuses: Record<string, number>; broken: number };

export function flood(attack: Flood): Promise<FloodResult> {
  return inOwnProcess<FloodResult>(new URL("flood-process.ts", import.meta.url), attack);
}

export function describeFlood({ statuses, broken }: FloodResult): string {
  const counts = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`);
  return [...counts, `${broken} broken connections`].join(", ");
}
