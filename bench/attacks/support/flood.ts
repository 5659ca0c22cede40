import { inOwnProcess } from "../../support/own-process.ts";

export type Flood = {
  url: string;
  connections: number;
  seconds: number;
  headers: Readonly<Record<string, string>>;
  /** The announced Content-Length, if it differs from the length of the body. */
  announced?: number;
  body: string;
  /** Interval at which another byte is sent after the body. */
  trickleMs?: number;
};

/** Responses by status, and connections that broke before a response. */
export type Flooded = { statuses: Record<string, number>; broken: number };

export function flood(attack: Flood): Promise<Flooded> {
  return inOwnProcess<Flooded>(new URL("flood-process.ts", import.meta.url), attack);
}

export function describeFlood({ statuses, broken }: Flooded): string {
  const counts = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`);
  return [...counts, `${broken} broken connections`].join(", ");
}
