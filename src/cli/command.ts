export type Command = { name: string; usage: string; about: string; run(args: readonly string[]): Promise<number | RunningService> };

/** `ended` resolves after the service has stored all data and closed its resources. */
export type RunningService = { ended: Promise<void> };

export type ListeningService = RunningService & { port: number };

export class UsageError extends Error {
  override readonly name = "UsageError";
}

export class StartError extends Error {
  override readonly name = "StartError";
}

export function expectNoMoreArguments([extra]: readonly string[], usage: string): void {
  if (extra !== undefined) throw new UsageError(`Unexpected argument '${extra}'. Usage: ${usage}`);
}

const BAR_LENGTH = 30;

export type ReportProgress = (label: string, done: number, total: number) => void;

export function progressBar(): ReportProgress {
  const isTerminal = process.stdout.isTTY;
  return (label, done, total) => {
    const filledLength = Math.round((BAR_LENGTH * done) / total);
    const line = `${label.padEnd(11)} [${"#".repeat(filledLength)}${".".repeat(BAR_LENGTH - filledLength)}] ${done} of ${total}`;
    if (isTerminal) process.stdout.write(`\r${line}${done === total ? "\n" : ""}`);
    else if (done === total) console.log(line);
  };
}
