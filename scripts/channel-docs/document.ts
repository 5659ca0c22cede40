import { type FreshApp, startFreshApp } from "../../src/cli/conformance/fresh-app.ts";
import { createHotel, deleteHotels } from "../../src/cli/conformance/store.ts";
import { fixedClock } from "../../src/clock.ts";
import { type Example, type ExampleRequest, wrapRequest, exampleRequest } from "../../src/modules/channel/example.ts";
import { publishedMessages } from "../../src/modules/channel/messages/index.ts";
import { completeSetRequested } from "../../src/modules/channel/ota-error.ts";
import { presetExamples } from "../../src/modules/channel/profiles/presets.ts";
import { prettyXml } from "../../src/modules/dev/log/pretty-xml.ts";
import { addSender } from "../../test/support/senders.ts";
import { CODES, findExample, TODAY } from "./codes.ts";
import { documentOf, fileOf } from "./folder.ts";
import { presetTable, settingTable } from "./profiles.ts";
import { announcedTable, elementTable, errorTable, limitTable, tableOf } from "./tables.ts";
import { transportRequest } from "./transports.ts";
import { warnings } from "./warnings.ts";

const BLOCK =
  /(<!-- (examples?|transport|elements|announced|profiles|errors|warnings|limits)(?: ([\w -]+?))? -->\n)[\s\S]*?(<!-- end -->)/g;
const SENDER = "pms";

/** Returns docs/channel.md with its generated parts updated: the text between `<!-- KIND NAME -->` and `<!-- end -->`. */
export async function updateDocument(document: string): Promise<string> {
  const now = Date.parse(`${TODAY}T12:00:00Z`);
  await using fresh = await startFreshApp(fixedClock(now));
  const secret = await addSender(fresh.database, { name: SENDER });
  const service = new Service({ ...fresh, now }, secret);
  const parts: string[] = [];
  let from = 0;
  for (const match of document.matchAll(BLOCK)) {
    const [whole, open, kind, name, close] = match;
    parts.push(document.slice(from, match.index), `${open}\n${await blockOf(kind!, name, service)}\n\n${close}`);
    from = match.index + whole.length;
  }
  return parts.join("") + document.slice(from);
}

/** Names of the examples in a document. */
export function shownExamples(document: string): string[] {
  return [...document.matchAll(BLOCK)].flatMap(([, , kind, name]) => (kind === "example" ? [name!] : []));
}

async function blockOf(kind: string, name: string | undefined, service: Service): Promise<string> {
  switch (kind) {
    case "example":
      return await exampleBlock(findExample(name), service);
    case "examples":
      return await examplesTable(name!, service);
    case "transport":
      return await transportBlock(name, service);
    case "elements":
      return elementTable(name!);
    case "profiles":
      return await profilesBlock(service);
    case "announced":
      return announcedTable();
    case "errors":
      return errorTable();
    case "warnings":
      return await warningTable(service);
    default:
      return limitTable();
  }
}

type Answer = { status: number; type: string; body: string };

/** A running service with the property that the examples use. */
class Service {
  readonly #fresh: FreshApp & { now: number };
  /** The sender's secret. */
  readonly secret: string;

  constructor(fresh: FreshApp & { now: number }, secret: string) {
    this.#fresh = fresh;
    this.secret = secret;
  }

  /** Recreates the property with only its two categories and the rate plan. */
  async reset(): Promise<void> {
    const { database } = this.#fresh;
    await deleteHotels(database);
    await createHotel(database, { code: CODES.hotel, name: "Alpenblick", currency: CODES.currency, categories: ["DBL", "SGL"] }, 0);
    await this.send(exampleRequest(findExample("amounts-by-guests"), CODES));
  }

  /** Sends an example as a sender with the example's profile. */
  async sendAs(example: Example): Promise<Answer> {
    const { database } = this.#fresh;
    const secret = await addSender(database, { name: example.name, hotels: [CODES.hotel], profile: example.profile });
    const { headers, body } = exampleRequest(example, CODES);
    return this.#post({ ...headers, authorization: `Bearer ${secret}` }, Buffer.from(body));
  }

  /** Sends a request with HTTP Basic, unless its envelope has credentials. */
  async send({ headers, body }: ExampleRequest): Promise<Answer> {
    const payload = Buffer.from(body);
    const authorization = `Basic ${Buffer.from(`${SENDER}:${this.secret}`).toString("base64")}`;
    const all = payload.includes("UsernameToken") ? { ...headers } : { ...headers, authorization };
    return this.#post(all, payload);
  }

  async #post(headers: Record<string, string>, payload: Buffer): Promise<Answer> {
    const response = await this.#fresh.app.inject({ method: "POST", url: "/channel", headers, payload });
    return { status: response.statusCode, type: String(response.headers["content-type"]), body: response.body };
  }
}

async function exampleBlock(example: Example, service: Service): Promise<string> {
  await service.reset();
  const request = exampleRequest(example, CODES);
  const answer = await service.send(request);
  const { transport = "raw", description } = example;
  if (transport === "json")
    return [`**\`${example.name}\`**: ${description}`, fence("json", example.xml(CODES)), wholeAnswer(answer)].join("\n\n");
  const isSoap = transport === "soap11" || transport === "soap12";
  const xml = isSoap ? prettyXml(Buffer.from(request.body).toString("utf8")) : example.xml(CODES);
  return [`**\`${example.name}\`**: ${description}${formOf(example)}`, fence("xml", xml), wholeAnswer(answer)].join("\n\n");
}

function formOf({ transport, action, version }: Example): string {
  if (transport !== "alpinebits") return "";
  return `\n\nForm field \`action\` = \`${action}\`, header \`X-AlpineBits-ClientProtocolVersion: ${version}\`, form field \`request\`:`;
}

/** The presets and settings, and an example of each preset. */
async function profilesBlock(service: Service): Promise<string> {
  const blocks = [presetTable(), settingTable()];
  for (const example of presetExamples) {
    const { preset } = example.profile!;
    await service.reset();
    const answer = await service.sendAs(example);
    const message = example.transport === "json" ? fence("json", documentOf(example)) : fence("xml", prettyXml(documentOf(example)));
    blocks.push(`**\`${preset}\`**: ${example.description}${formOf(example)}`, message, `Answer: ${outcomeOf(answer.body)}`);
  }
  return blocks.join("\n\n");
}

/** Every example of a message and its outcome. */
async function examplesTable(root: string, service: Service): Promise<string> {
  const rows: string[][] = [];
  for (const example of publishedMessages.find((message) => message.root === root)?.examples ?? []) {
    await service.reset();
    const { body } = await service.send(exampleRequest(example, CODES));
    rows.push([`[\`${example.name}\`](../examples/${fileOf(example)})`, example.description, outcomeOf(body)]);
  }
  return tableOf(["Example", "Description", "Answer"], rows);
}

function outcomeOf(body: string): string {
  if (body.startsWith("{")) return jsonOutcomeOf(JSON.parse(body) as JsonAnswer);
  const [, issue] = /<Issue [^>]*status="(\w+)"/.exec(body) ?? [];
  const [, name, code = "", text = ""] = /<(Error|Warning|Issue)\b(?:[^>]* [Cc]ode="(\d+)")?[^>]*>([^<]*)</.exec(body) ?? [];
  if (name === undefined || text.startsWith("{")) return "`<Success/>`";
  const kind = issue === undefined ? name : capitalized(issue);
  return `${kind}${code && ` ${code}`}: \`${readable(text)}\``;
}

type JsonAnswer = { errors?: readonly JsonItem[]; meta?: { warnings: readonly JsonItem[] } };
type JsonItem = { pointer: string; code: string; text: string };

function jsonOutcomeOf({ errors, meta }: JsonAnswer): string {
  const [first] = errors ?? meta?.warnings ?? [];
  return first ? `${errors ? "Error" : "Warning"} \`${first.code}\` at \`${first.pointer}\`: \`${first.text}\`` : "stored";
}

function wholeAnswer({ status, type, body }: Answer): string {
  const head = `Answer: HTTP ${status}, \`${type}\``;
  if (type.includes("json"))
    return `${head}\n\n${fence("json", JSON.stringify(JSON.parse(body.replace(/"id":\d+/, '"id":1024')), undefined, 2))}`;
  return `${head}\n\n${fence(type.includes("xml") ? "xml" : "text", prettyXml(body))}`;
}

async function transportBlock(name: string | undefined, service: Service): Promise<string> {
  await service.reset();
  const { command, request } = transportRequest(name, service.secret);
  return `${fence("sh", command)}\n\n${wholeAnswer(await service.send(request))}`;
}

/** Sends the message for each warning and lists each text once. */
async function warningTable(service: Service): Promise<string> {
  const rows: string[][] = [];
  const listed = new Set<string>();
  for (const { xml, meaning } of warnings) {
    await service.reset();
    const { body } = await service.send(wrapRequest(xml, { transport: "raw" }));
    const found = [...body.matchAll(/<Warning Type="(\d+)"(?: Code="(\d+)")?[^>]*>([^<]*)</g)].find(([, , , text]) => !listed.has(text!));
    if (!found) throw new Error(`No new warning in ${body} for ${xml}`);
    const [, type, code = "", text] = found;
    listed.add(text!);
    rows.push([type!, code, `\`${readable(text!)}\``, meaning]);
  }
  const { type, text, status } = completeSetRequested("counts");
  rows.push([String(type), "", `\`${text}\``, `AlpineBits only, with \`Status="${status}"\`. See [complete sets](#complete-sets).`]);
  return tableOf(["Type", "Code", "Text", "What happened"], rows);
}

function capitalized(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}

function readable(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trim()}\n\`\`\``;
}
