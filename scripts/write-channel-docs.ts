import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { updateDocument } from "./channel-docs/document.ts";
import { buildExampleFiles } from "./channel-docs/folder.ts";

/** `npm run docs`: regenerates the messages in examples/ and the generated parts of docs/channel.md. A test fails if they are out of date. */
const ROOT = new URL("../", import.meta.url);

const folder = new URL("examples/", ROOT);
for (const path of globSync("**/*.{xml,json,tsv}", { cwd: folder })) rmSync(new URL(path, folder));
for (const [path, content] of buildExampleFiles()) {
  const file = fileURLToPath(new URL(path, folder));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

const document = new URL("docs/channel.md", ROOT);
writeFileSync(document, await updateDocument(readFileSync(document, "utf8")));
