import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { test } from "node:test";

test("reports an error in the checkpoint thread as an unhandled rejection and continues to commit", () => {
  const from = (file: string) => JSON.stringify(new URL(file, import.meta.url));
  const program = `
    import { Checkpoints } from ${from("checkpoints.ts")};
    import { Mutex } from ${from("mutex.ts")};
    const mutex = new Mutex();
    const checkpoints = new Checkpoints(${JSON.stringify(tmpdir())}, mutex);
    const faults = [];
    process.on("unhandledRejection", async ({ message }) => {
      (await mutex.acquire())();
      faults.push(message);
      if (faults.length < 2) return;
      console.log(faults.join());
      process.exit();
    });
    setInterval(() => checkpoints.countValues(20_000), 10);`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ["-e", program], { encoding: "utf8" });
  assert.deepEqual([stdout, stderr, status], ["unable to open database file,unable to open database file\n", "", 0]);
});
