import { startDurablePostgres } from "../test/support/postgres-server.ts";
import { inOwnProcess, endProcesses } from "./support/own-process.ts";
import { addSender, command, CREDENTIAL, newStore, startService } from "./support/service.ts";
const engine = process.argv[2] as "SQLite" | "PostgreSQL";
const pg = engine === "PostgreSQL" ? await startDurablePostgres() : undefined;
const store = newStore(engine, pg?.url);
command(store, "seed", "--properties", "200", "--categories", "10", "--nights", "0");
{
  await using service = await startService(store);
  const load = { url: service.url, sender: addSender(store), reader: CREDENTIAL, properties: 200 };
  for (const [perSecond, seconds] of process.argv.slice(3).map((x) => x.split("x").map(Number)))
    console.log(
      engine,
      perSecond,
      seconds,
      await inOwnProcess(new URL("./support/feed-process.ts", import.meta.url), { ...load, perSecond, seconds }),
    );
}
endProcesses();
pg?.stop();
store.remove();
process.exit(0);
