import { setTimeout as sleep } from "node:timers/promises";
import { endProcesses } from "../support/own-process.ts";
import { residentMegabytes } from "../support/service.ts";
import { describeFlood, flood } from "./support/flood.ts";
import { describeLatency, measureSender } from "./support/sender.ts";
import { startTarget } from "./support/target.ts";

/**
 * Sends thousands of request bodies that declare 1 MB but stop after 60 kB. Measures the memory they use and the latency for a real sender.
 *
 * Usage: node bench/attacks/slow-bodies.ts [CHECKOUT]
 */
const QUIET_SECONDS = 10;
const ATTACK_SECONDS = 45;
const CONNECTIONS = 5_000;
const DECLARED_BYTES = 1_000_000;
const SENT_BYTES = 60_000;

await using target = await startTarget();
const sender = { url: target.url, headers: target.addSender("real"), property: 1 };

await measureSender(sender, 2);
const quiet = await measureSender(sender, QUIET_SECONDS);
const before = residentMegabytes(target.pid) ?? Number.NaN;
console.log(`quiet: ${describeLatency(quiet)}, ${before.toFixed(0)} MB`);
const body = Buffer.alloc(SENT_BYTES, " ").toString("base64");
const attack = {
  url: target.url,
  connections: CONNECTIONS,
  seconds: ATTACK_SECONDS,
  declaredLength: DECLARED_BYTES,
  body,
  trickleMs: 5_000,
};
const flooded = flood({ ...attack, headers: { "content-type": "application/xml" } });
const [attacked, peak] = await Promise.all([measureSender(sender, ATTACK_SECONDS), peakMegabytes(ATTACK_SECONDS)]);
console.log(`under attack: ${describeLatency(attacked)}, p99 ${(attacked.p99 / quiet.p99).toFixed(1)} x quiet`);
console.log(`memory: peak ${peak.toFixed(0)} MB, ${(peak - before).toFixed(0)} MB more than before`);
console.log(`attack, ${CONNECTIONS} connections: ${describeFlood(await flooded)}`);
endProcesses();

async function peakMegabytes(seconds: number): Promise<number> {
  let highest = 0;
  for (let second = 0; second < seconds; second++) {
    await sleep(1000);
    highest = Math.max(highest, residentMegabytes(target.pid) ?? Number.NaN);
  }
  return highest;
}
