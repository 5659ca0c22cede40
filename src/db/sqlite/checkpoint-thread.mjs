// Runs a passive checkpoint for each message. Plain JavaScript, because type stripping would double the thread's memory.
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

const checkpoint = new DatabaseSync(workerData).prepare("pragma wal_checkpoint(passive)");

parentPort.on("message", () => {
  checkpoint.get();
  parentPort.postMessage("done");
});
