import { propertyCode } from "../../src/cli/seed/records.ts";
import { countsMessage } from "../support/messages.ts";
import { endProcesses } from "../support/own-process.ts";
import { describeFlood, flood } from "./support/flood.ts";
import { describeLatency, measureSender } from "./support/sender.ts";
import { startTarget } from "./support/target.ts";

/**
 * Floods a property with messages from a sender that has no access to it, and measures the latency for the property's own sender.
 *
 * Usage: node bench/attacks/other-property.ts [CHECKOUT]
 */
const QUIET_SECONDS = 10;
const ATTACK_SECONDS = 20;
const CONNECTIONS = 30;
const LINES = 45_000;

await using target = await startTarget();
const real = { url: target.url, headers: target.addSender("real"), property: 2 };
const limited = target.addSender("limited", propertyCode(1));
const body = Buffer.from(countsMessage(2, lines())).toString("base64");

await measureSender(real, 2);
const quiet = await measureSender(real, QUIET_SECONDS);
console.log(`quiet: ${describeLatency(quiet)}`);
const flooded = flood({ url: target.url, connections: CONNECTIONS, seconds: ATTACK_SECONDS, headers: limited, body });
const attacked = await measureSender(real, ATTACK_SECONDS);
console.log(`under attack: ${describeLatency(attacked)}, p99 ${(attacked.p99 / quiet.p99).toFixed(1)} x quiet`);
console.log(`attack, ${CONNECTIONS} at a time: ${describeFlood(await flooded)}`);
endProcesses();

function lines() {
  return Array.from({ length: LINES }, (_, line) => ({ category: line % 10, first: line % 365, last: line % 365, count: line % 10 }));
}
