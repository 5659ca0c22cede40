import { formatNight } from "../../../../calendar/night.ts";
import { counted } from "../../../../web/parts/amount.ts";
import type { Range } from "./dates.ts";

/** Words for the message log: one line in full, many as their number and range. */
export class Summary {
  /** What the first line does; said when it is the only one. */
  what: string | undefined;
  readonly #targets = new Set<string>();
  #lines = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  add(target: string, { first, last }: Range): void {
    this.#lines++;
    if (this.#targets.size < 4) this.#targets.add(target);
    if (first < this.#first) this.#first = first;
    if (last > this.#last) this.#last = last;
  }

  text(): string {
    if (this.#lines === 0) return "Nothing to store";
    const [first, last] = [formatNight(this.#first), formatNight(this.#last)];
    const range = first === last ? first : `${first} to ${last}`;
    const targets = [...this.#targets];
    if (this.#lines === 1) return `${targets[0]} ${range}: ${this.what}`;
    const named = targets.length < 4 ? targets.join(", ") : `${targets.slice(0, 3).join(", ")} and more`;
    return `${named}, ${range}: ${counted(this.#lines, "line")}`;
  }
}

/** A category, or one of its rooms where `room` is not empty. */
export function roomName(category: string, room: string): string {
  return room === "" ? category : `${category} room ${room}`;
}

/** A category under a rate plan, or under none where `plan` is empty. */
export function rateName(category: string, plan: string): string {
  return plan === "" ? category : `${category}/${plan}`;
}
