import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { Client } from "pg";
import { startDurablePostgres } from "../test/support/postgres-server.ts";
import { type Bench, type Context, QUICK, THOROUGH } from "./bench.ts";
import { disk } from "./cases/disk.ts";
import { feed } from "./cases/feed.ts";
import { imports } from "./cases/imports.ts";
import { delta, lines, year } from "./cases/ingest.ts";
import { notFound } from "./cases/not-found.ts";
import { pages } from "./cases/pages.ts";
import { portfolio } from "./cases/portfolio.ts";
import { postgresYear } from "./cases/postgres-year.ts";
import { scale } from "./cases/scale.ts";
import { start } from "./cases/start.ts";
import { steady } from "./cases/steady.ts";
import { isMet, type Row } from "./support/figures.ts";
import { endProcesses } from "./support/own-process.ts";
import { command, type Engine, newStore, type Store } from "./support/service.ts";

const benches: readonly Bench[] = [start, pages, delta, year, lines, postgresYear, notFound, disk, scale, steady, feed, portfolio, imports];

const FLAGS = ["--quick", "--no-sqlite", "--no-postgresql"];

const args = process.argv.slice(2);
const [flags, requestedNames] = [args.filter((word) => word.startsWith("-")), args.filter((word) => !word.startsWith("-"))];
const unknown = flags.find((flag) => !FLAGS.includes(flag)) ?? requestedNames.find((name) => !benches.some((bench) => bench.name === name));
if (unknown !== undefined) {
  const names = benches.map((bench) => bench.name).join(", ");
  console.error(`Unknown benchmark or option '${unknown}'. Benchmarks: ${names}. Options: ${FLAGS.join(", ")}`);
  process.exit(2);
}
const pace = flags.includes("--quick") ? QUICK : THOROUGH;
const engines = (["SQLite", "PostgreSQL"] as const).filter((engine) => !flags.includes(`--no-${engine.toLowerCase()}`));

const postgres = engines.includes("PostgreSQL") ? await startDurablePostgres() : undefined;
const rows: Row[] = [];
try {
  for (const bench of benches.filter(({ name }) => requestedNames.length === 0 || requestedNames.includes(name))) {
    for (const engine of engines.filter((candidate) => enginesOf(bench).includes(candidate))) rows.push(...(await run(bench, engine)));
  }
} finally {
  endProcesses();
  postgres?.stop();
}
writeFileSync(
  new URL("results.json", import.meta.url),
  `${JSON.stringify({ at: new Date().toISOString(), node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, quick: pace === QUICK, rows }, undefined, 2)}\n`,
);
console.log(
  `\n${rows.filter(isMet).length} of ${rows.filter(({ target }) => target).length} targets met; results are in bench/results.json`,
);

/** Returns all engines for a full run and for benchmarks named on the command line, and fewer for a quick run. */
function enginesOf({ engines: all, quick = all }: Bench): readonly Engine[] {
  return pace === QUICK && requestedNames.length === 0 ? quick : all;
}

async function run(bench: Bench, engine: Engine): Promise<Row[]> {
  const stores: Store[] = [];
  const context: Context = {
    pace,
    engine,
    newDatabase,
    async seeded(amounts) {
      const store = newStore(engine, engine === "PostgreSQL" ? await newDatabase() : undefined);
      stores.push(store);
      command(store, "seed", ...Object.entries(amounts).flatMap(([name, amount]) => [`--${name}`, String(amount)]));
      return store;
    },
  };
  try {
    const measured = await bench.run(context);
    for (const row of measured) print(row);
    return measured;
  } finally {
    for (const store of stores) store.remove();
  }
}

async function newDatabase(): Promise<string> {
  const name = `bench_${randomBytes(6).toString("hex")}`;
  const client = new Client({ connectionString: postgres!.url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(postgres!.url);
  url.pathname = `/${name}`;
  return url.href;
}

function print(row: Row): void {
  const { name, engine, measured, reference, ratio, spread, target } = row;
  const goal = target === undefined ? "" : `${target.at === "least" ? ">=" : "<="} ${Number(target.value.toFixed(3))}`;
  const columns = [engine.padEnd(10), name.padEnd(58), measured.padStart(18), reference.padStart(26), ratio.toFixed(3).padStart(9)];
  const range = spread === undefined ? "" : `±${(spread * 50).toFixed(0)} %`;
  console.log([...columns, range.padStart(7), goal.padStart(9), verdict(row)].join("  "));
}

function verdict(row: Row): string {
  const met = isMet(row);
  if (met === undefined) return "";
  return met ? "met" : "MISSED";
}
