import { statfs } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { monitorEventLoopDelay, performance, PerformanceObserver } from "node:perf_hooks";
import { DEFAULT_MAX_VERSION, DEFAULT_MIN_VERSION } from "node:tls";
import { getHeapStatistics } from "node:v8";
import { each, html } from "../../../web/html.ts";
import { messageOf } from "../../../web/http-error.ts";
import { localMoment, serverZone } from "../../../web/parts/moment.ts";
import {
  type Fact,
  type FactGroup,
  factsAsMarkdown,
  factTable,
  formatBytes,
  formatMs,
  formatSeconds,
  formatShare,
  readVersion,
} from "../parts.ts";
import type { Tool, ToolNeeds } from "../tool.ts";

const SLOW_LOOP_MS = 100;
const FULL_HEAP = 0.85;
const FULL_DISK = 0.95;
const NODE_MAJOR = 26;

type RuntimeView = { groups: readonly FactGroup[] };

/** The interface specification prescribes the name. */
export function makePhpinfoTool(readLoop: () => LoopFigures): Tool<RuntimeView> {
  return {
    slug: "phpinfo",
    title: "Runtime information",
    about: "Versions, memory, event loop, disk and database.",
    status: async (services) => runtimeStatus(await describe(services, readLoop())),
    view: async ({ services }) => ({ groups: await describe(services, readLoop()) }),
    page: ({ groups }) => ({
      main: html`<div class="fact-groups">${each(groups, factTable)}</div>`,
      copy: { label: "Markdown", text: `# Roomrack runtime\n\n${factsAsMarkdown(groups)}` },
    }),
  };
}

function runtimeStatus(groups: readonly FactGroup[]): string {
  const warnings = groups.flatMap((group) => group.facts).filter((fact) => fact.mark === "warn");
  const first = `up ${formatSeconds(process.uptime())}`;
  return warnings.length === 0 ? `${first}, all OK` : `${first}, check: ${warnings.map((fact) => fact.name).join(", ")}`;
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
    { name: "Process ID", value: process.pid },
    { name: "Uptime", value: formatSeconds(process.uptime()) },
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
    { name: "TLS (outgoing)", value: `${DEFAULT_MIN_VERSION} to ${DEFAULT_MAX_VERSION}` },
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
    { name: "Off-heap memory", value: `${formatBytes(external)}, including ${formatBytes(arrayBuffers)} of buffers` },
    { name: "Available memory", value: formatBytes(process.availableMemory()) },
  ];
}

function loopFacts(loop: LoopFigures): Fact[] {
  return [
    { name: "p99 delay", value: formatMs(loop.delay99), mark: loop.delay99 < SLOW_LOOP_MS ? "ok" : "warn" },
    { name: "Mean and maximum delay", value: `${formatMs(loop.delayMean)}, ${formatMs(loop.delayMax)}` },
    { name: "Utilisation since start", value: formatShare(loop.utilisation) },
    { name: "Garbage collections", value: `${loop.collections}, ${formatMs(loop.collecting)} in total` },
  ];
}

async function machineFacts({ config }: ToolNeeds): Promise<Fact[]> {
  const { user, system } = process.cpuUsage();
  const [load = 0] = loadavg();
  const disk = await statfs(config.dataDir).catch(() => undefined);
  const share = disk ? 1 - disk.bavail / disk.blocks : 1;
  const freeDiskText = disk ? `${formatBytes(disk.bavail * disk.bsize)} free of ${formatBytes(disk.blocks * disk.bsize)}` : "unknown";
  return [
    { name: "System", value: `${process.platform} ${process.arch}` },
    { name: "Processors", value: `${availableParallelism()}, ${cpus()[0]?.model ?? "model unknown"}` },
    { name: "Load average (1 min)", value: load.toFixed(2), mark: load < 2 * availableParallelism() ? "ok" : "warn" },
    { name: "CPU time", value: `${formatSeconds(user / 1e6)} user, ${formatSeconds(system / 1e6)} system` },
    { name: "Memory", value: formatBytes(totalmem()) },
    { name: "Disk (DATA_DIR)", value: `${freeDiskText} (${config.dataDir})`, mark: share < FULL_DISK ? "ok" : "warn" },
  ];
}

/** The page must work even if the database does not respond. */
async function databaseFacts({ database }: ToolNeeds): Promise<Fact[]> {
  try {
    const { engine, version, location, bytes } = await database.describe();
    return [
      { name: "Engine", value: `${engine} ${version}` },
      { name: "Location", value: location },
      { name: "Size", value: formatBytes(bytes) },
    ];
  } catch (error) {
    return [{ name: "State", value: `not responding: ${messageOf(error)}`, mark: "warn" }];
  }
}

const RESOLUTION_MS = 20;
const NS_PER_MS = 1_000_000;

export type LoopFigures = {
  delayMean: number;
  delay99: number;
  delayMax: number;
  utilisation: number;
  collections: number;
  collecting: number;
};

export type LoopWatch = { read(): LoopFigures; stop(): void };

export function watchLoop(): LoopWatch {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const collections = { count: 0, time: 0 };
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      collections.count++;
      collections.time += entry.duration;
    }
  });
  observer.observe({ entryTypes: ["gc"] });
  return {
    read: () => ({
      delayMean: toDelay(delay.mean),
      delay99: toDelay(delay.percentile(99)),
      delayMax: toDelay(delay.max),
      utilisation: performance.eventLoopUtilization().utilization,
      collections: collections.count,
      collecting: collections.time,
    }),
    stop() {
      delay.disable();
      observer.disconnect();
    },
  };
}

/** Subtracts the resolution from the measured interval, which is NaN before the first sample. */
function toDelay(nanoseconds: number): number {
  const milliseconds = nanoseconds / NS_PER_MS - RESOLUTION_MS;
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : 0;
}
