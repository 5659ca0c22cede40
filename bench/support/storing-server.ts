import { keepHeapSmall } from "../../src/cli/memory.ts";
import { openDatabase } from "../../src/db/open.ts";
import { ANSWER, DELTAS, YEARS } from "./messages.ts";
import { serveRaw } from "./raw-server.ts";
import { recordBatches } from "./recorded-batches.ts";

/**
 * Raw node:http that, for each request, has the database run what a message of the service made it run, in the same shared commits. Nothing
 * is read, decided or worded. Argument: `delta` or `year`. The store is that of `DATA_DIR`.
 */
keepHeapSmall();
const { bodies } = process.argv[2] === "year" ? YEARS : DELTAS;
const database = await openDatabase(undefined, process.env["DATA_DIR"]!);
const batches = await recordBatches(database, bodies);
let turn = 0;
serveRaw({ status: 200, type: "application/xml", body: Buffer.from(ANSWER) }, () => database.commit(batches[turn++ % batches.length]!));
