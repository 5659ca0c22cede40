import { inOwnProcess } from "../../support/own-process.ts";

/** Requests to send again and again, as fast as they are answered. */
export type Flood = {
  url: string;
  connections: number;
  seconds: number;
  headers: Readonly<Record<string, string>>;
  /** What the request announces as its length; the length of the body unless it is said. */
  announced?: number;
  /** The body in base64. */
  body: string;
  /** Sends another byte this often after the body, instead of nothing. */
  trickleMs?: number;
};

/** How many answers of each status came, and how many connections broke before they had one. */
export type Flooded = { statuses: Record<string, number>; broken: number };

/** Runs the flood in a process of its own. */
export function flood(attack: Flood): Promise<Flooded> {
  return inOwnProcess<Flooded>(new URL("flood-process.ts", import.meta.url), attack);
}

export function describeFlood({ statuses, broken }: Flooded): string {
  const counts = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`);
  return [...counts, `${broken} broken connections`].join(", ");
}
