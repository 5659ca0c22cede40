import { statfs } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { DEFAULT_MIN_VERSION, DEFAULT_MAX_VERSION } from "node:tls";
import { getHeapStatistics } from "node:v8";
import { html, each } from "../../../web/html.ts";
import { messageOf } from "../../../web/http-error.ts";
import { localMoment, serverZone } from "../../../web/parts/moment.ts";
import { type Fact, type FactGroup, factsAsMarkdown, factTable } from "../parts.ts";
import type { LoopFigures } from "../runtime.ts";
import type { ToolNeeds, Tool } from "../tool.ts";
import { formatBytes, formatMs, formatSeconds, formatShare } from "../units.ts";
import { readVersion } from "../version.ts";

const SLOW_LOOP_MS = 100;
const FULL_HEAP = 0.85;
const FULL_DISK = 0.95;
const NODE_MAJOR = 26;

type RuntimeView = { groups: readonly FactGroup[] };

/** The page about the runtime, under the name that the interface specification gives it. `readLoop` tells how the event loop does. */
export function makePhpinfoTool(readLoop: () => LoopFigures): Tool<RuntimeView> {
  return {
    slug: "phpinfo",
    title: "Runtime information",
    about: "What the service runs on and how it is doing: versions, memory, event loop, disk, database.",
    status: async (services) => statusOf(await describe(services, readLoop())),
    view: async ({ services }) => ({ groups: await describe(services, readLoop()) }),
    page: ({ groups }) => ({
      main: html`<div class="fact-groups">${each(groups, factTable)}</div>`,
      copy: { label: "Markdown", text: `# Roomrack runtime\n\n${factsAsMarkdown(groups)}` },
    }),
  };
}

function statusOf(groups: readonly FactGroup[]): string {
  const warnings = groups.flatMap((group) => group.facts).filter((fact) => fact.mark === "warn");
  const first = `up ${formatSeconds(process.uptime())}`;
  return warnings.length === 0 ? `${first}, all OK` : `${first}, to look at: ${warnings.map((fact) => fact.name).join(", ")}`;
}

async function describe(services: ToolNeeds, loop: LoopFigures): Promise<FactGroup[]> {
  return [
    { title: "Process", facts: processFacts(services) },
    { title: "Versions", facts: versionFacts() },
    { title: "Memory", facts: memoryFacts() },
    { title: "Event loop", facts: loopFacts(loop) },
    { title: "Machine", facts: await machineFacts(services) },
    { title: "Database", facts: await databaseFacts(services) },
  ];
}

function processFacts({ clock, config }: ToolNeeds): Fact[] {
  const now = clock.now();
  return [
    { name: "Mode", value: config.values.NODE_ENV },
    { name: "Process id", value: process.pid },
    { name: "Up for", value: formatSeconds(process.uptime()) },
    { name: "Flags", value: process.execArgv.join(" ") || "none" },
    { name: "Local time", value: localMoment(now) },
    { name: "Time zone", value: serverZone },
    { name: "Open handles", value: process.getActiveResourcesInfo().length },
  ];
}

function versionFacts(): Fact[] {
  const { node, v8, openssl, icu, unicode, sqlite, uv } = process.versions;
  return [
    { name: "Roomrack", value: readVersion() },
    { name: "Node.js", value: node, mark: Number(node.split(".", 1)[0]) >= NODE_MAJOR ? "ok" : "warn" },
    { name: "V8", value: v8 },
    { name: "OpenSSL", value: openssl },
    { name: "TLS of connections made", value: `${DEFAULT_MIN_VERSION} to ${DEFAULT_MAX_VERSION}` },
    { name: "ICU", value: `${icu ?? "none"}, Unicode ${unicode ?? "?"}` },
    { name: "SQLite in Node.js", value: sqlite ?? "none" },
    { name: "libuv", value: uv },
  ];
}

function memoryFacts(): Fact[] {
  const { rss, external, arrayBuffers } = process.memoryUsage();
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return [
    { name: "Resident memory", value: formatBytes(rss) },
    { name: "Heap", value: `${formatBytes(used)} of ${formatBytes(limit)}`, mark: used / limit < FULL_HEAP ? "ok" : "warn" },
    { name: "Outside the heap", value: `${formatBytes(external)}, of it buffers ${formatBytes(arrayBuffers)}` },
    { name: "Available to the process", value: formatBytes(process.availableMemory()) },
  ];
}

function loopFacts(loop: LoopFigures): Fact[] {
  return [
    { name: "Delay, 99 of 100", value: formatMs(loop.delay99), mark: loop.delay99 < SLOW_LOOP_MS ? "ok" : "warn" },
    { name: "Delay, mean and longest", value: `${formatMs(loop.delayMean)}, ${formatMs(loop.delayMax)}` },
    { name: "Utilisation since the start", value: formatShare(loop.utilisation) },
    { name: "Garbage collections", value: `${loop.collections}, ${formatMs(loop.collecting)} together` },
  ];
}

async function machineFacts({ config }: ToolNeeds): Promise<Fact[]> {
  const { user, system } = process.cpuUsage();
  const [load = 0] = loadavg();
  const disk = await statfs(config.dataDir).catch(() => undefined);
  const share = disk ? 1 - disk.bavail / disk.blocks : 1;
  const free = disk ? `${formatBytes(disk.bavail * disk.bsize)} free of ${formatBytes(disk.blocks * disk.bsize)}` : "cannot be read";
  return [
    { name: "System", value: `${process.platform} ${process.arch}` },
    { name: "Processors", value: `${availableParallelism()}, ${cpus()[0]?.model ?? "model unknown"}` },
    { name: "Load, one minute", value: load.toFixed(2), mark: load < 2 * availableParallelism() ? "ok" : "warn" },
    { name: "Processor time of the process", value: `${formatSeconds(user / 1e6)} own, ${formatSeconds(system / 1e6)} system` },
    { name: "Memory", value: formatBytes(totalmem()) },
    { name: "Disk of DATA_DIR", value: `${free} (${config.dataDir})`, mark: share < FULL_DISK ? "ok" : "warn" },
  ];
}

/** A database that does not answer is a reason to look at this page, which then says so. */
async function databaseFacts({ database }: ToolNeeds): Promise<Fact[]> {
  try {
    const { engine, version, location, bytes } = await database.describe();
    return [
      { name: "Engine", value: `${engine} ${version}` },
      { name: "Location", value: location },
      { name: "Size", value: formatBytes(bytes) },
    ];
  } catch (error) {
    return [{ name: "State", value: `does not answer: ${messageOf(error)}`, mark: "warn" }];
  }
}
