import { readFileSync } from "node:fs";
import { serveRaw } from "./raw-server.ts";

/** The floor under every answer: raw node:http that reads the body and answers the same bytes. Arguments: status, content type, file. */
const [status = "200", type = "text/html", file = ""] = process.argv.slice(2);
serveRaw({ status: Number(status), type, body: readFileSync(file) });
