/** Values to choose from, each with its label. */
export type Choices = readonly (readonly [value: string, label: string])[];

/** Builds a list on first use: loading the names of a language takes a tenth of the start. */
export function once(build: () => Choices): () => Choices {
  let built: Choices | undefined;
  return () => (built ??= build());
}

/** Returns a test for the values of a list. */
export function oneOf(choices: () => Choices): (value: string) => boolean {
  let values: ReadonlySet<string> | undefined;
  return (value) => (values ??= new Set(choices().map(([one]) => one))).has(value);
}
