import type { Choices } from "./field.ts";

/** What people call a value; the value itself when the list does not have it. */
export function wordFor(choices: Choices, value: string): string {
  return choices.find(([one]) => one === value)?.[1] ?? value;
}

/** A list that is made on first use: the first names load the words of their language, which takes a tenth of a start. */
export function once(make: () => Choices): () => Choices {
  let made: Choices | undefined;
  return () => (made ??= make());
}

/** Tells the values of a list of choices. */
export function oneOf(choices: () => Choices): (value: string) => boolean {
  let values: ReadonlySet<string> | undefined;
  return (value) => (values ??= new Set(choices().map(([one]) => one))).has(value);
}
