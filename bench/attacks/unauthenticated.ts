import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { endProcesses } from "../support/own-process.ts";
import { describeFlood, flood } from "./support/flood.ts";
import { describeLatency, type Latency, measureSender } from "./support/sender.ts";
import { basic, startTarget } from "./support/target.ts";

/**
 * Sends large compressed messages without valid credentials. Measures the latency for a real sender.
 * Usage: node bench/attacks/unauthenticated.ts [CHECKOUT]
 */
const QUIET_SECONDS = 10;
const ATTACK_SECONDS = 20;
const CONNECTIONS = 20;

const ATTACKER = { "x-forwarded-for": "198.51.100.7" };
const large = gzippedXml(320_000);
const small = gzippedXml(7_500);

await using target = await startTarget();
const headers = { ...target.addSender("real"), "x-forwarded-for": "192.0.2.10" };
const sender = { url: target.url, headers, property: 1 };
const attack = { url: target.url, connections: CONNECTIONS, seconds: ATTACK_SECONDS };
const attackHeaders = { "content-type": "application/xml", "content-encoding": "gzip", ...ATTACKER };

await measureSender(sender, 2);
const quiet = await measureSender(sender, QUIET_SECONDS);
console.log(`quiet: ${describeLatency(quiet)}`);
await compare("2.5 MB without credentials", attackHeaders, large);
await compare("60 kB without credentials", attackHeaders, small);
await getLockedOut();
await compare("2.5 MB without credentials, from a locked-out address", attackHeaders, large);
await getLockedOut();
await compare("2.5 MB with wrong credentials, from a locked-out address", { ...attackHeaders, ...basic("real", "a guess") }, large);
endProcesses();

/** Random numbers limit the compression ratio to about eight. */
function xml(lines: number): string {
  const line = () => `<Inventory><InvCount CountType="2" Count="${Math.floor(Math.random() * 1e12)}"/></Inventory>`;
  return `<OTA_HotelInvCountNotifRQ>${Array.from({ length: lines }, line).join("\n")}</OTA_HotelInvCountNotifRQ>`;
}

function gzippedXml(lines: number): string {
  return gzipSync(xml(lines), { level: 1 }).toString("base64");
}

/** Sends wrong credentials until the lockout is longer than the attack. */
async function getLockedOut(): Promise<void> {
  const wrong = { ...ATTACKER, ...basic("real", "a guess"), "content-type": "application/xml" };
  for (let wait = 0; wait < ATTACK_SECONDS;) {
    const { headers: answered } = await fetch(`${target.url}/channel`, { method: "POST", headers: wrong, body: "<a/>" });
    wait = Number(answered.get("retry-after") ?? 0);
    if (wait > 0 && wait < ATTACK_SECONDS) await sleep(wait * 1000);
  }
}

async function compare(what: string, flooding: Readonly<Record<string, string>>, body: string): Promise<void> {
  const flooded = flood({ ...attack, headers: flooding, body });
  const attacked = await measureSender(sender, ATTACK_SECONDS);
  console.log(`${what}: ${describeLatency(attacked)}, p99 ${ratio(attacked, quiet)} x quiet; attack: ${describeFlood(await flooded)}`);
}

function ratio(attacked: Latency, before: Latency): string {
  return (attacked.p99 / before.p99).toFixed(1);
}
