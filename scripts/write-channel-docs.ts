import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { exampleFolder } from "./channel-docs/folder.ts";

/** `npm run docs`: writes the folder of example messages and the examples in docs/channel.md anew. A test compares both with what is there. */
const ROOT = new URL("../", import.meta.url);

const folder = new URL("examples/", ROOT);
rmSync(folder, { recursive: true, force: true });
for (const [path, content] of exampleFolder()) {
  const file = new URL(path, folder);
  mkdirSync(dirname(file.pathname), { recursive: true });
  writeFileSync(file, content);
}
