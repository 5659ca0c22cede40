import { type FreshApp, startFreshApp } from "../../src/cli/conformance/fresh-app.ts";
import { createHotel, deleteHotels } from "../../src/cli/conformance/store.ts";
import { fixedClock } from "../../src/clock.ts";
import { ALPINEBITS_VERSIONS } from "../../src/modules/channel/dialects.ts";
import { requestOfExample } from "../../src/modules/channel/example-request.ts";
import type { Example } from "../../src/modules/channel/example.ts";
import { messages } from "../../src/modules/channel/messages/index.ts";
import { announce } from "../../src/modules/channel/messages/ping/handshake.ts";
import { prettyXml } from "../../src/modules/dev/log/body.ts";
import { CODES, examples, TODAY } from "./examples.ts";

const BLOCK = /(<!-- (example|announced)(?: ([\w-]+))? -->\n)[\s\S]*?(<!-- end -->)/g;

/** Regenerates docs/channel.md between `<!-- example NAME -->` or `<!-- announced -->` and `<!-- end -->`. Throws for an unknown example. */
export async function renewDocument(document: string): Promise<string> {
  await using fresh = await startFreshApp(fixedClock(Date.parse(`${TODAY}T12:00:00Z`)));
  const parts: string[] = [];
  let from = 0;
  for (const match of document.matchAll(BLOCK)) {
    const [whole, open, kind, name, close] = match;
    const content = kind === "announced" ? announcedTable() : await exampleBlock(fresh, findExample(name));
    parts.push(document.slice(from, match.index), `${open}\n${content}\n\n${close}`);
    from = match.index + whole.length;
  }
  return parts.join("") + document.slice(from);
}

function findExample(name: string | undefined): Example {
  const example = examples.find((one) => one.name === name);
  if (!example) throw new Error(`Unknown example ${name}`);
  return example;
}

export function shownExamples(document: string): string[] {
  return [...document.matchAll(BLOCK)].flatMap(([, , kind, name]) => (kind === "example" ? [name!] : []));
}

/** Shows an example and its response, for a property with two categories and a rate plan. */
async function exampleBlock({ app, database }: FreshApp, example: Example): Promise<string> {
  await deleteHotels(database);
  await createHotel(database, { code: CODES.hotel, name: "Alpenblick", currency: CODES.currency, categories: ["DBL", "SGL"] }, 0);
  await app.inject({ method: "POST", url: "/channel", ...injected(findExample("amounts-by-guests")) });
  const response = await app.inject({ method: "POST", url: "/channel", ...injected(example) });
  const { transport = "raw", description } = example;
  const request = transport === "alpinebits" ? example.xml(CODES) : Buffer.from(requestOfExample(example, CODES).body).toString("utf8");
  const type = String(response.headers["content-type"]);
  return [
    `**${example.name}**: ${description}${formOf(example)}`,
    fence("xml", transport === "raw" || transport === "alpinebits" ? request : prettyXml(request)),
    `Answer: HTTP ${response.statusCode}, \`${type}\``,
    fence(type.includes("xml") ? "xml" : "text", prettyXml(response.body)),
  ].join("\n\n");
}

function injected(example: Example) {
  const { headers, body } = requestOfExample(example, CODES);
  return { headers: { ...headers }, payload: Buffer.from(body) };
}

function formOf({ transport, action, version }: Example): string {
  if (transport !== "alpinebits") return "";
  return `\n\nForm with \`action\` = \`${action}\`, header \`X-AlpineBits-ClientProtocolVersion: ${version}\`, and \`request\`:`;
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trim()}\n\`\`\``;
}

/** The capabilities that the handshake announces, with one column per version. */
function announcedTable(): string {
  const { versions } = announce(messages);
  const actions = new Map<string, Set<string>>();
  for (const { action, supports = [] } of versions.flatMap((version) => version.actions ?? [])) {
    actions.set(action, new Set([...(actions.get(action) ?? []), ...supports]));
  }
  const rows = [...actions].flatMap(([action, capabilities]) => [
    row(action, `\`${action}\``),
    ...[...capabilities].map((one) => row(one, `· \`${one}\``)),
  ]);
  return [
    `| Action, capability | ${ALPINEBITS_VERSIONS.join(" | ")} |`,
    `|---|${ALPINEBITS_VERSIONS.map(() => "---|").join("")}`,
    ...rows,
  ].join("\n");
}

function row(name: string, title: string): string {
  const { versions } = announce(messages);
  const cells = versions.map(({ actions = [] }) =>
    actions.some((one) => one.action === name || one.supports?.includes(name)) ? "yes" : "-",
  );
  return `| ${title} | ${cells.join(" | ")} |`;
}
