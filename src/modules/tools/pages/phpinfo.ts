import { statfs } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { monitorEventLoopDelay, performance, PerformanceObserver } from "node:perf_hooks";
import { DEFAULT_MAX_VERSION, DEFAULT_MIN_VERSION } from "node:tls";
import { getHeapStatistics } from "node:v8";
import { mapHtml, html } from "../../../web/html.ts";
import { errorMessage } from "../../../web/http-error.ts";
import { localMoment, serverZone } from "../../../web/parts/moment.ts";
import {
  type NamedFact,
  type FactGroup,
  factsAsMarkdown,
  factTable,
  formatBytes,
  formatMs,
  formatSeconds,
  formatShare,
  readVersion,
} from "../parts.ts";
import type { Tool, ToolDeps } from "../tool.ts";

const SLOW_LOOP_MS = 100;
const MAX_HEAP_SHARE = 0.85;
const MAX_DISK_SHARE = 0.95;
const REQUIRED_NODE_MAJOR = 26;

type RuntimeView = { groups: readonly FactGroup[] };

/** The name `phpinfo` is prescribed by the interface specification. */
export function makePhpinfoTool(readLoop: () => LoopFigures): Tool<RuntimeView> {
  return {
    slug: "phpinfo",
    title: "Runtime information",
    about: "Versions, memory, event loop, disk and database.",
    status: async (services) => runtimeStatus(await readFactGroups(services, readLoop())),
    view: async ({ services }) => ({ groups: await readFactGroups(services, readLoop()) }),
    page: ({ groups }) => ({
      main: html`<div class="fact-groups">${mapHtml(groups, factTable)}</div>`,
      copy: { label: "Markdown", text: `# Roomrack runtime\n\n${factsAsMarkdown(groups)}` },
    }),
  };
}

function runtimeStatus(groups: readonly FactGroup[]): string {
  const warnings = groups.flatMap((group) => group.facts).filter((fact) => fact.mark === "warn");
  const first = `up ${formatSeconds(process.uptime())}`;
  return warnings.length === 0 ? `${first}, all OK` : `${first}, check: ${warnings.map((fact) => fact.name).join(", ")}`;
}

async function readFactGroups(services: ToolDeps, loop: LoopFigures): Promise<FactGroup[]> {
  return [
    { title: "Process", facts: processFacts(services) },
    { title: "Versions", facts: versionFacts() },
    { title: "Memory", facts: memoryFacts() },
    { title: "Event loop", facts: loopFacts(loop) },
    { title: "Machine", facts: await machineFacts(services) },
    { title: "Database", facts: await databaseFacts(services) },
  ];
}

function processFacts({ clock, config }: ToolDeps): NamedFact[] {
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

function versionFacts(): NamedFact[] {
  const { node, v8, openssl, icu, unicode, sqlite, uv } = process.versions;
  return [
    { name: "Roomrack", value: readVersion() },
    { name: "Node.js", value: node, mark: Number(node.split(".", 1)[0]) >= REQUIRED_NODE_MAJOR ? "ok" : "warn" },
    { name: "V8", value: v8 },
    { name: "OpenSSL", value: openssl },
    { name: "TLS (outgoing)", value: `${DEFAULT_MIN_VERSION} to ${DEFAULT_MAX_VERSION}` },
    { name: "ICU", value: `${icu ?? "none"}, Unicode ${unicode ?? "?"}` },
    { name: "SQLite in Node.js", value: sqlite ?? "none" },
    { name: "libuv", value: uv },
  ];
}

function memoryFacts(): NamedFact[] {
  const { rss, external, arrayBuffers } = process.memoryUsage();
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return [
    { name: "Resident memory", value: formatBytes(rss) },
    { name: "Heap", value: `${formatBytes(used)} of ${formatBytes(limit)}`, mark: used / limit < MAX_HEAP_SHARE ? "ok" : "warn" },
    { name: "Off-heap memory", value: `${formatBytes(external)}, including ${formatBytes(arrayBuffers)} of buffers` },
    { name: "Available memory", value: formatBytes(process.availableMemory()) },
  ];
}

function loopFacts(loop: LoopFigures): NamedFact[] {
  return [
    { name: "p99 delay", value: formatMs(loop.delay99), mark: loop.delay99 < SLOW_LOOP_MS ? "ok" : "warn" },
    { name: "Mean and maximum delay", value: `${formatMs(loop.delayMean)}, ${formatMs(loop.delayMax)}` },
    { name: "Utilisation since start", value: formatShare(loop.utilisation) },
    { name: "Garbage collections", value: `${loop.collections}, ${formatMs(loop.collecting)} in total` },
  ];
}

async function machineFacts({ config }: ToolDeps): Promise<NamedFact[]> {
  const { user, system } = process.cpuUsage();
  const [load = 0] = loadavg();
  const diskStats = await statfs(config.dataDir).catch(() => undefined);
  const usedShare = diskStats ? 1 - diskStats.bavail / diskStats.blocks : 1;
  const freeDiskText = diskStats
    ? `${formatBytes(diskStats.bavail * diskStats.bsize)} free of ${formatBytes(diskStats.blocks * diskStats.bsize)}`
    : "unknown";
  return [
    { name: "System", value: `${process.platform} ${process.arch}` },
    { name: "Processors", value: `${availableParallelism()}, ${cpus()[0]?.model ?? "model unknown"}` },
    { name: "Load average (1 min)", value: load.toFixed(2), mark: load < 2 * availableParallelism() ? "ok" : "warn" },
    { name: "CPU time", value: `${formatSeconds(user / 1e6)} user, ${formatSeconds(system / 1e6)} system` },
    { name: "Memory", value: formatBytes(totalmem()) },
    { name: "Disk (DATA_DIR)", value: `${freeDiskText} (${config.dataDir})`, mark: usedShare < MAX_DISK_SHARE ? "ok" : "warn" },
  ];
}

/** Returns facts about the database. The page must work even if the database does not respond. */
async function databaseFacts({ database }: ToolDeps): Promise<NamedFact[]> {
  try {
    const { engine, version, location, bytes } = await database.describe();
    return [
      { name: "Engine", value: `${engine} ${version}` },
      { name: "Location", value: location },
      { name: "Size", value: formatBytes(bytes) },
    ];
  } catch (error) {
    return [{ name: "State", value: `not responding: ${errorMessage(error)}`, mark: "warn" }];
  }
}

const LOOP_RESOLUTION_MS = 20;
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
  const delay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  delay.enable();
  const garbageCollections = { count: 0, time: 0 };
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      garbageCollections.count++;
      garbageCollections.time += entry.duration;
    }
  });
  observer.observe({ entryTypes: ["gc"] });
  return {
    read: () => ({
      delayMean: toDelay(delay.mean),
      delay99: toDelay(delay.percentile(99)),
      delayMax: toDelay(delay.max),
      utilisation: performance.eventLoopUtilization().utilization,
      collections: garbageCollections.count,
      collecting: garbageCollections.time,
    }),
    stop() {
      delay.disable();
      observer.disconnect();
    },
  };
}

/** Converts a measured interval to a delay by subtracting the timer's resolution. The interval is NaN before the first sample. */
function toDelay(nanoseconds: number): number {
  const milliseconds = nanoseconds / NS_PER_MS - LOOP_RESOLUTION_MS;
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : 0;
}
