/** What `node src/start.mjs NAME` runs. `run` resolves to the exit code; undefined leaves the process to its open handles. */
export type Command = { name: string; usage: string; about: string; run(args: readonly string[]): Promise<number | undefined> };

/** The words on the command line are not what the command takes. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
