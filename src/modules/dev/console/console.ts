import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { stopwatch } from "../../../clock.ts";
import { runJson } from "../../../grid/change-json.ts";
import { findMessage, type MessageDetail } from "../../../journal/messages.ts";
import { actionOf, anyRoute } from "../../../web/any-route.ts";
import { readId, readTyped } from "../../../web/form.ts";
import { formToken } from "../../../web/guard/csrf.ts";
import { type Html, html, nothing } from "../../../web/html.ts";
import { sendJson } from "../../../web/json.ts";
import { takeFiles } from "../../../web/multipart.ts";
import { wantsJson } from "../../../web/negotiate.ts";
import { sendPage } from "../../../web/page.ts";
import { endpointOf, takesEveryone } from "../../channel/endpoint.ts";
import type { Example } from "../../channel/example.ts";
import type { Outgoing } from "../../channel/exchange.ts";
import { MAX_BODY_BYTES } from "../../channel/limits.ts";
import { messages } from "../../channel/messages/index.ts";
import { Schemas } from "../../channel/xml/schemas.ts";
import type { Services } from "../../module.ts";
import type { Property } from "../../property/property.ts";
import { findProperty } from "../../property/store.ts";
import { bodyText, inUtf8 } from "../log/body-text.ts";
import { entryJson, transportOf } from "../log/entry.ts";
import { curlCommand } from "./curl.ts";
import { exampleCodes, type ExampleHotel, exampleHotel, exampleHotels, findExample } from "./examples.ts";
import { CONSOLE_WORDS, type ConsoleForm, EMPTY_FORM, readConsoleForm, requestOfForm } from "./form.ts";
import { consolePage } from "./page.ts";
import { consoleResult } from "./result.ts";
import { judgeBoth } from "./schema-verdicts.ts";
import { sendToChannel } from "./send.ts";

/** A message of any size that the channel takes, and the other fields. */
const LIMIT_BYTES = MAX_BODY_BYTES + 1024 * 1024;

/** The console: pick or paste, send, see. */
export function registerConsole(app: FastifyInstance, services: Services): void {
  const { SCHEMA_DIR: folder } = services.config.values;
  const schemas = folder === undefined ? undefined : new Schemas(folder);
  takeFiles(app);
  const said = { about: "developer console of the channel", words: CONSOLE_WORDS, access: "admin" as const };
  anyRoute(app, { url: "/dev/channel", ...said, bodyLimit: LIMIT_BYTES }, async (request, reply) => {
    if (actionOf(request) === "send") return answerSent({ ...services, schemas }, request, reply);
    const { message = "" } = readTyped(request.query);
    const hotel = await chosenHotel(services, request);
    if (message !== "") {
      const found = await formOfMessage(services, message);
      return show(services, { request, reply, hotel, form: found ?? EMPTY_FORM, result: found ? nothing : gone(message) });
    }
    const example = exampleOf(request);
    const form = example ? await formOfExample(services, example, hotel) : EMPTY_FORM;
    return show(services, { request, reply, hotel, form, example, result: nothing });
  });
}

async function formOfExample(services: Services, example: Example, hotel: string): Promise<ConsoleForm> {
  const { transport = EMPTY_FORM.transport, action = EMPTY_FORM.action, version = EMPTY_FORM.version } = example;
  return { ...EMPTY_FORM, transport, action, version, xml: example.xml(await exampleCodes(services, hotel)) };
}

async function answerSent(
  services: Services & { schemas: Schemas | undefined },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const form = readConsoleForm(request.body);
  const elapsed = stopwatch();
  const sent = requestOfForm(form);
  const outgoing = await sendToChannel(services, request, sent);
  const took = elapsed();
  const { receipt } = outgoing;
  const entry = receipt && (await findMessage(services.database, receipt.id));
  const { document, exact } = bodyText(sent.body, sent.headers["content-type"] ?? "");
  const open = await takesEveryone(services, request);
  const curl = exact ? curlCommand({ ...form, xml: inUtf8(document), url: endpointOf(services, request), open }) : undefined;
  const { dryRun } = form;
  const verdicts = services.schemas ? await judgeBoth(services.schemas, form, outgoing) : [];
  if (wantsJson(request)) return sendJson(reply, { ...answerJson(outgoing, entry), curl, verdicts });
  const property = await propertyOf(services, entry);
  const result = consoleResult({ outgoing, dryRun, property: property?.code, took, curl, verdicts });
  const hotel = property?.code ?? (await chosenHotel(services, request));
  return show(services, { request, reply, hotel, form, example: exampleOf(request), result });
}

function exampleOf(request: FastifyRequest): Example | undefined {
  return findExample(readTyped(request.query).example ?? "");
}

/** What came back, as the log has it, and what a dry run would change; with the answer alone where not even the log could be written. */
function answerJson({ status, headers, body, receipt }: Outgoing, entry: MessageDetail | undefined) {
  const told = entry ? { ...entryJson(entry), changes: receipt!.changes.map(runJson) } : { status, answer: bodyText(body, "").raw };
  return { ...told, answerHeaders: headers };
}

/** The property that the message named; undefined when it named none that exists. */
async function propertyOf({ database }: Services, entry: MessageDetail | undefined): Promise<Property | undefined> {
  const code = entry?.message.property ?? undefined;
  return code === undefined ? undefined : findProperty(database, code);
}

type Shown = {
  request: FastifyRequest;
  reply: FastifyReply;
  hotel: string;
  form: ConsoleForm;
  example?: Example | undefined;
  result: Html;
};

async function show(services: Services, { request, reply, hotel, form, example, result }: Shown): Promise<FastifyReply> {
  const hotels = await exampleHotels(services);
  if (wantsJson(request)) return sendJson(reply, formJson({ form, hotels, hotel }));
  return sendPage(reply, consolePage({ form, token: await formToken(reply), hotels, hotel, example, result }));
}

/** What the form holds, and what can be put into it. */
function formJson({ form, hotels, hotel }: { form: ConsoleForm; hotels: readonly ExampleHotel[]; hotel: string }) {
  const { transport, action, version, xml } = form;
  return { property: hotel, message: { transport, action, version, xml }, properties: hotels, examples: EXAMPLES };
}

const EXAMPLES = messages.flatMap(({ examples }) => examples.map(({ name, description }) => ({ name, description })));

/** The property that was asked for, else one that takes messages. */
async function chosenHotel(services: Services, request: FastifyRequest): Promise<string> {
  const { property = "" } = readTyped(request.query);
  if (property !== "" && (await findProperty(services.database, property))) return property;
  return exampleHotel(services);
}

function gone(message: string): Html {
  return html`<p class="notice warn">
    The request of message #${message} is not in the log, or no longer, so there is nothing to send again.
  </p>`;
}

/** A message of the log, to be changed and sent again. */
async function formOfMessage({ database }: Services, id: string): Promise<ConsoleForm | undefined> {
  const number = readId(id);
  const found = number ? await findMessage(database, number) : undefined;
  if (!found?.bodies) return undefined;
  const headers = found.notes?.headers ?? {};
  return {
    ...EMPTY_FORM,
    transport: transportOf(found.message.transport),
    action: found.message.action ?? "",
    version: headers["x-alpinebits-clientprotocolversion"] ?? "",
    xml: inUtf8(bodyText(found.bodies.request, headers["content-type"] ?? "").document),
  };
}
