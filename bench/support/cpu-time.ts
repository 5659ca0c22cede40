import { readFileSync } from "node:fs";

/** The value of `getconf CLK_TCK` on all common systems. */
const TICKS_PER_SECOND = 100;
const [PARENT, USER, CHILDREN_SYSTEM] = [1, 11, 14];

/** Returns the CPU time of a process, including its threads and terminated child processes, in milliseconds. Requires Linux. */
export function cpuMilliseconds(pid: number): number {
  const ticks = fieldsOf(pid)
    .slice(USER, CHILDREN_SYSTEM + 1)
    .reduce((sum, field) => sum + Number(field), 0);
  return (ticks * 1_000) / TICKS_PER_SECOND;
}

export function parentOf(pid: number): number {
  return Number(fieldsOf(pid)[PARENT]);
}

export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
}

/** Returns the fields of `/proc/PID/stat` after the program's name, which may contain spaces. */
function fieldsOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}
