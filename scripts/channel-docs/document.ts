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
import { renderPresets, renderSettings } from "./profiles.ts";
import { renderCapabilities, renderElements, renderErrors, renderLimits, renderTable } from "./tables.ts";
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
    parts.push(document.slice(from, match.index), `${open}\n${await renderBlock(kind!, name, service)}\n\n${close}`);
    from = match.index + whole.length;
  }
  return parts.join("") + document.slice(from);
}

/** Returns the names of the examples that a document shows in full. */
export function listShownExamples(document: string): string[] {
  return [...document.matchAll(BLOCK)].flatMap(([, , kind, name]) => (kind === "example" ? [name!] : []));
}

async function renderBlock(kind: string, name: string | undefined, service: Service): Promise<string> {
  switch (kind) {
    case "example":
      return await renderExample(findExample(name), service);
    case "examples":
      return await renderExamples(name!, service);
    case "transport":
      return await renderTransport(name, service);
    case "elements":
      return renderElements(name!);
    case "profiles":
      return await renderProfiles(service);
    case "announced":
      return renderCapabilities();
    case "errors":
      return renderErrors();
    case "warnings":
      return await renderWarnings(service);
    default:
      return renderLimits();
  }
}

type Reply = { status: number; type: string; body: string };

/** Sends requests to a service that contains the examples' property. */
class Service {
  readonly #fresh: FreshApp & { now: number };
  readonly secret: string;

  constructor(fresh: FreshApp & { now: number }, secret: string) {
    this.#fresh = fresh;
    this.secret = secret;
  }

  /** Recreates the property, so that it contains only its two categories and the rate plan. */
  async reset(): Promise<void> {
    const { database } = this.#fresh;
    await deleteHotels(database);
    await createHotel(database, { code: CODES.hotel, name: "Alpenblick", currency: CODES.currency, categories: ["DBL", "SGL"] }, 0);
    await this.send(exampleRequest(findExample("amounts-by-guests"), CODES));
  }

  /** Sends an example as a new sender that has the example's profile. */
  async sendAs(example: Example): Promise<Reply> {
    const { database } = this.#fresh;
    const secret = await addSender(database, { name: example.name, hotels: [CODES.hotel], profile: example.profile });
    const { headers, body } = exampleRequest(example, CODES);
    return this.#post({ ...headers, authorization: `Bearer ${secret}` }, Buffer.from(body));
  }

  /** Sends a request with HTTP Basic credentials, unless its SOAP envelope contains credentials. */
  async send({ headers, body }: ExampleRequest): Promise<Reply> {
    const payload = Buffer.from(body);
    const authorization = `Basic ${Buffer.from(`${SENDER}:${this.secret}`).toString("base64")}`;
    const all = payload.includes("UsernameToken") ? { ...headers } : { ...headers, authorization };
    return this.#post(all, payload);
  }

  async #post(headers: Record<string, string>, payload: Buffer): Promise<Reply> {
    const response = await this.#fresh.app.inject({ method: "POST", url: "/channel", headers, payload });
    return { status: response.statusCode, type: String(response.headers["content-type"]), body: response.body };
  }
}

async function renderExample(example: Example, service: Service): Promise<string> {
  await service.reset();
  const request = exampleRequest(example, CODES);
  const reply = await service.send(request);
  const { transport = "raw", description } = example;
  if (transport === "json")
    return [`**\`${example.name}\`**: ${description}`, fenceCode("json", example.xml(CODES)), renderResponse(reply)].join("\n\n");
  const isSoap = transport === "soap11" || transport === "soap12";
  const xml = isSoap ? prettyXml(Buffer.from(request.body).toString("utf8")) : example.xml(CODES);
  return [`**\`${example.name}\`**: ${description}${describeForm(example)}`, fenceCode("xml", xml), renderResponse(reply)].join("\n\n");
}

function describeForm({ transport, action, version }: Example): string {
  if (transport !== "alpinebits") return "";
  return `\n\nForm field \`action\` = \`${action}\`, header \`X-AlpineBits-ClientProtocolVersion: ${version}\`, form field \`request\`:`;
}

/** Returns the presets and settings, and an example for each preset that has one. */
async function renderProfiles(service: Service): Promise<string> {
  const blocks = [renderPresets(), renderSettings()];
  for (const example of presetExamples) {
    const { preset } = example.profile!;
    await service.reset();
    const reply = await service.sendAs(example);
    const message =
      example.transport === "json" ? fenceCode("json", documentOf(example)) : fenceCode("xml", prettyXml(documentOf(example)));
    blocks.push(`**\`${preset}\`**: ${example.description}${describeForm(example)}`, message, `Response: ${describeOutcome(reply.body)}`);
  }
  return blocks.join("\n\n");
}

/** Returns a table of a message's examples and the outcome of each one. */
async function renderExamples(root: string, service: Service): Promise<string> {
  const rows: string[][] = [];
  for (const example of publishedMessages.find((message) => message.root === root)?.examples ?? []) {
    await service.reset();
    const { body } = await service.send(exampleRequest(example, CODES));
    rows.push([`[\`${example.name}\`](../examples/${fileOf(example)})`, example.description, describeOutcome(body)]);
  }
  return renderTable(["Example", "Description", "Response"], rows);
}

function describeOutcome(body: string): string {
  if (body.startsWith("{")) return describeJsonOutcome(JSON.parse(body) as JsonReply);
  const [, issue] = /<Issue [^>]*status="(\w+)"/.exec(body) ?? [];
  const [, name, code = "", text = ""] = /<(Error|Warning|Issue)\b(?:[^>]* [Cc]ode="(\d+)")?[^>]*>([^<]*)</.exec(body) ?? [];
  if (name === undefined || text.startsWith("{")) return "`<Success/>`";
  const kind = issue === undefined ? name : capitalize(issue);
  return `${kind}${code && ` ${code}`}: \`${decodeEntities(text)}\``;
}

type JsonReply = { errors?: readonly JsonIssue[]; meta?: { warnings: readonly JsonIssue[] } };
type JsonIssue = { pointer: string; code: string; text: string };

function describeJsonOutcome({ errors, meta }: JsonReply): string {
  const [first] = errors ?? meta?.warnings ?? [];
  return first ? `${errors ? "Error" : "Warning"} \`${first.code}\` at \`${first.pointer}\`: \`${first.text}\`` : "stored";
}

function renderResponse({ status, type, body }: Reply): string {
  const head = `Response: HTTP ${status}, \`${type}\``;
  if (type.includes("json"))
    return `${head}\n\n${fenceCode("json", JSON.stringify(JSON.parse(body.replace(/"id":\d+/, '"id":1024')), undefined, 2))}`;
  return `${head}\n\n${fenceCode(type.includes("xml") ? "xml" : "text", prettyXml(body))}`;
}

async function renderTransport(name: string | undefined, service: Service): Promise<string> {
  await service.reset();
  const { command, request } = transportRequest(name, service.secret);
  return `${fenceCode("sh", command)}\n\n${renderResponse(await service.send(request))}`;
}

/** Returns a table of the warnings. Each text is what the service returns for the warning's message. */
async function renderWarnings(service: Service): Promise<string> {
  const rows: string[][] = [];
  const listed = new Set<string>();
  for (const { xml, meaning } of warnings) {
    await service.reset();
    const { body } = await service.send(wrapRequest(xml, { transport: "raw" }));
    const found = [...body.matchAll(/<Warning Type="(\d+)"(?: Code="(\d+)")?[^>]*>([^<]*)</g)].find(([, , , text]) => !listed.has(text!));
    if (!found) throw new Error(`No new warning in ${body} for ${xml}`);
    const [, type, code = "", text] = found;
    listed.add(text!);
    rows.push([type!, code, `\`${decodeEntities(text!)}\``, meaning]);
  }
  const { type, text, status } = completeSetRequested("counts");
  rows.push([String(type), "", `\`${text}\``, `Only in AlpineBits, with \`Status="${status}"\`. See [complete sets](#complete-sets).`]);
  return renderTable(["Type", "Code", "Text", "What happened"], rows);
}

function capitalize(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}

function decodeEntities(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

function fenceCode(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trim()}\n\`\`\``;
}
