const BAR = 30;

/** Told whenever more of something is done. */
export type Progress = (what: string, done: number, of: number) => void;

/** One line that moves where a person watches, one line for each thing elsewhere. */
export function progressBar(): Progress {
  const moving = process.stdout.isTTY;
  return (what, done, of) => {
    const filled = Math.round((BAR * done) / of);
    const line = `${what.padEnd(11)} [${"#".repeat(filled)}${".".repeat(BAR - filled)}] ${done} of ${of}`;
    if (moving) process.stdout.write(`\r${line}${done === of ? "\n" : ""}`);
    else if (done === of) console.log(line);
  };
}
