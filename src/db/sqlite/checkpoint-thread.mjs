// Copies what the write-ahead log has into the database, as far as nobody holds it up, whenever it is asked to; then answers.
// Plain JavaScript: a thread that has to strip types takes twice the memory.
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

const checkpoint = new DatabaseSync(workerData).prepare("pragma wal_checkpoint(passive)");

parentPort.on("message", () => {
  checkpoint.get();
  parentPort.postMessage("done");
});
