import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import chromiumPackage from "@sparticuz/chromium";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core";

const CACHE = fileURLToPath(new URL("../../node_modules/.cache/roomrack/", import.meta.url));

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--in-process-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--font-render-hinting=none",
];

/** Limit after which a test fails with a clear message instead of hanging. */
const LIMIT_MS = 180_000;

let launched: Promise<Browser> | undefined;

/** Opens a Chromium context with its own cookies and storage. The caller must close it. */
export async function openContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const browser = await (launched ??= launch());
  const context = await browser.newContext({ locale: "en-GB", timezoneId: "UTC", viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(LIMIT_MS);
  return context;
}

after(async () => {
  await (await launched)?.close();
});

async function launch(): Promise<Browser> {
  const folder = await unpack();
  const env = { ...process.env, FONTCONFIG_FILE: writeFonts(folder) } as Record<string, string>;
  return chromium.launch({ executablePath: join(folder, "chromium"), args: FLAGS, env, timeout: LIMIT_MS });
}

/** Unpacks the browser from the npm package once per version. The first process to finish moves it into place. */
async function unpack(): Promise<string> {
  const folder = join(CACHE, `chromium-${version()}`);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const own = mkdtempSync(join(CACHE, "unpacking-"));
  await unpackInto(own);
  try {
    renameSync(own, folder);
  } catch {
    rmSync(own, { recursive: true, force: true });
  }
  return folder;
}

/** Uses a separate folder, because the package would reuse an incomplete copy in the temporary folder. */
async function unpackInto(folder: string): Promise<void> {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  try {
    await chromiumPackage.executablePath();
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
}

/** Uses only the package's fonts, so that pages look the same on every machine. Chromium crashes without fonts. */
function writeFonts(folder: string): string {
  const file = join(mkdtempSync(join(tmpdir(), "roomrack-fonts-")), "fonts.conf");
  writeFileSync(file, fontsOf(folder));
  return file;
}

function fontsOf(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, "fonts")}</dir>
  <cachedir>${join(folder, "fonts-cache")}</cachedir>
</fontconfig>
`;
}

function version(): string {
  const require = createRequire(import.meta.url);
  const entry = fileURLToPath(import.meta.resolve("@sparticuz/chromium"));
  return (require(join(entry, "..", "..", "package.json")) as { version: string }).version;
}
