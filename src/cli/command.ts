/** What `node src/start.mjs NAME` runs. `run` resolves to the exit code; undefined leaves the process to its open handles. */
export type Command = { name: string; usage: string; about: string; run(args: readonly string[]): Promise<number | undefined> };

/** The words on the command line are not what the command takes. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** For a command that takes no more words than it has read. Throws `UsageError`. */
export function takeNoMore([word]: readonly string[], usage: string): void {
  if (word !== undefined) throw new UsageError(`'${word}' is one word too many. Usage: ${usage}`);
}
