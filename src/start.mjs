// Starts main.ts. What was compiled at an earlier start is not compiled again, which is half of the start, and a start in which
// nothing has to be compiled does not load the compiler, which is 15 MB. So this file itself is plain JavaScript.
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/roomrack/compiled", import.meta.url)));
await import("./main.ts");
