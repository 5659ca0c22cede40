import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { renewDocument } from "./channel-docs/document.ts";
import { exampleFolder } from "./channel-docs/folder.ts";

/** `npm run docs`: writes the folder of example messages and the examples in docs/channel.md anew. A test compares both with what is there. */
const ROOT = new URL("../", import.meta.url);

const folder = new URL("examples/", ROOT);
rmSync(folder, { recursive: true, force: true });
for (const [path, content] of exampleFolder()) {
  const file = fileURLToPath(new URL(path, folder));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

const document = new URL("docs/channel.md", ROOT);
writeFileSync(document, await renewDocument(readFileSync(document, "utf8")));
