import type { Choices } from "./field.ts";

/** What people call a value; the value itself when the list does not have it. */
export function wordFor(choices: Choices, value: string): string {
  return choices.find(([one]) => one === value)?.[1] ?? value;
}
