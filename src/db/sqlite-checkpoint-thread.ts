import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

/** Copies what the write-ahead log has into the database, as far as nobody holds it up, whenever it is asked to; then answers. */
const db = new DatabaseSync(workerData as string);
const checkpoint = db.prepare("pragma wal_checkpoint(passive)");

parentPort!.on("message", () => {
  checkpoint.get();
  parentPort!.postMessage("done");
});
