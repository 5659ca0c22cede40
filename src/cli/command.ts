/** What `node src/start.mjs NAME` runs. `run` resolves to the exit code, or, once a service has started, to its end. */
export type Command = { name: string; usage: string; about: string; run(args: readonly string[]): Promise<number | Service> };

/** A service that runs until it is stopped. `ended` resolves when all is stored and closed. */
export type Service = { ended: Promise<void> };

/** A service that answers at `port`. */
export type Listening = Service & { port: number };

/** The words on the command line are not what the command takes. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The service cannot start for a reason that the user can fix. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** For a command that takes no more words than it has read. Throws `UsageError`. */
export function takeNoMore([word]: readonly string[], usage: string): void {
  if (word !== undefined) throw new UsageError(`'${word}' is one word too many. Usage: ${usage}`);
}
