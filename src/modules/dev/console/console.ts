import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { stopwatch } from "../../../clock.ts";
import { runJson } from "../../../grid/changes.ts";
import { findMessage, type MessageDetail } from "../../../journal/messages.ts";
import { createAudit } from "../../../records/audit.ts";
import type { Property } from "../../../records/property/property.ts";
import { findProperty } from "../../../records/property/store.ts";
import { quote } from "../../../text.ts";
import { actionOf, addAnyRoute } from "../../../web/any-route.ts";
import { type Faults, readId, readTyped } from "../../../web/form.ts";
import { formToken } from "../../../web/guard/csrf.ts";
import { type Html, html, emptyHtml } from "../../../web/html.ts";
import { AccessException, HttpException } from "../../../web/http-error.ts";
import { sendFaults, sendJson } from "../../../web/json.ts";
import { acceptFiles } from "../../../web/multipart.ts";
import { wantsJson } from "../../../web/negotiate.ts";
import { sendPage } from "../../../web/page.ts";
import { SchemaValidator } from "../../../xml/schemas.ts";
import { endpointUrl, needsNoCredentials } from "../../channel/endpoint.ts";
import type { Example } from "../../channel/example.ts";
import type { OutgoingResponse } from "../../channel/exchange.ts";
import { MAX_BODY_BYTES } from "../../channel/limits.ts";
import { publishedMessages } from "../../channel/messages/index.ts";
import type { StoredProfile } from "../../channel/profiles/knobs.ts";
import { presetExamples, profileFrom } from "../../channel/profiles/presets.ts";
import { findIdentity } from "../../channel/senders/access.ts";
import { findSender } from "../../channel/senders/store.ts";
import { bodyText, dropEncoding } from "../log/body.ts";
import { entryJson, consoleTransport } from "../log/entry.ts";
import type { DevDeps } from "../needs.ts";
import { curlCommand } from "./curl.ts";
import { exampleCodes, type ExampleHotel, exampleHotel, exampleHotels, findExample } from "./examples.ts";
import {
  CONSOLE_WORDS,
  type ConsoleForm,
  consoleProfile,
  type ConsoleRequest,
  EMPTY_FORM,
  profileFields,
  readConsoleForm,
  sendAs,
  sendToChannel,
  toChannelRequest,
} from "./form.ts";
import { nightsMessage, nightsNotice } from "./nights-message.ts";
import { consolePage } from "./page.ts";
import { consoleResult, validateBoth } from "./result.ts";

/** The channel's message limit, plus space for the other fields. */
const MAX_FORM_BYTES = MAX_BODY_BYTES + 1024 * 1024;

export function registerConsole(app: FastifyInstance, services: DevDeps): void {
  const { SCHEMA_DIR: folder } = services.config.values;
  const schemas = folder === undefined ? undefined : new SchemaValidator(folder);
  acceptFiles(app);
  const options = {
    about: "console for sending messages",
    words: CONSOLE_WORDS,
    access: "editor",
    tokens: { act: "channel:dry-run", property: "handler" },
  } as const;
  addAnyRoute(app, { url: "/dev/channel", ...options, bodyLimit: MAX_FORM_BYTES }, async (request, reply) => {
    if (actionOf(request) === "send") return sendMessage(services, schemas, reply);
    // Refuses tokens, because the form shows stored messages and all properties.
    if (request.user?.grant) throw new AccessException(403, "A token can only be used to send messages here. Add the field action=send");
    const { message = "", sender = "", select = "", grid = "", property = "" } = readTyped(request.query);
    const hotel = await readChosenHotel(services, request);
    if (select !== "") {
      const form = hotel === property ? await formFromNights(services.database, hotel, { select, grid }) : undefined;
      return showConsole(services, reply, { hotel, form: form?.form ?? EMPTY_FORM, result: form?.result ?? selectionRefusal(select) });
    }
    if (message !== "") {
      const form = await formFromMessage(services, message);
      return showConsole(services, reply, { hotel, form: form ?? EMPTY_FORM, ...(!form && { result: missingMessageNotice(message) }) });
    }
    const example = findExampleByName(request);
    const form = example ? await formFromExample(services, example, hotel) : EMPTY_FORM;
    return showConsole(services, reply, { hotel, form: { ...form, ...(await senderFields(services, sender)) }, example });
  });
}

function selectionRefusal(select: string): Html {
  return html`<p class="notice warn">
    “${quote(select)}” is not a selection of an existing property, such as 2027-03-01/2027-03-07,DBL/BAR.
  </p>`;
}

async function formFromNights(
  database: DevDeps["database"],
  property: string,
  chosen: { select: string; grid: string },
): Promise<{ form: ConsoleForm; result: Html } | undefined> {
  const messageOfNights = await nightsMessage(database, property, chosen);
  return (
    messageOfNights && { form: { ...EMPTY_FORM, transport: "json", xml: messageOfNights.text }, result: nightsNotice(messageOfNights) }
  );
}

async function formFromExample(services: DevDeps, example: Example, hotel: string): Promise<ConsoleForm> {
  const { transport = EMPTY_FORM.transport, action = EMPTY_FORM.action, version = EMPTY_FORM.version } = example;
  const profile = example.profile && profileFields(example.profile);
  return { ...EMPTY_FORM, ...profile, transport, action, version, xml: example.xml(await exampleCodes(services, hotel)) };
}

async function sendMessage(services: DevDeps, schemas: SchemaValidator | undefined, reply: FastifyReply): Promise<FastifyReply> {
  const { request } = reply;
  const form = readConsoleForm(request.body);
  refuseBeyondGrant(request, form);
  const profile = consoleProfile(form);
  const selectedHotel = await readChosenHotel(services, request);
  if ("faults" in profile) return showConsole(services, reply, { hotel: selectedHotel, form, faults: profile.faults });
  const elapsed = stopwatch();
  const channelRequest = toChannelRequest(form);
  const outgoing = await submitMessage(services, request, { form, sent: channelRequest, profile, hotel: selectedHotel });
  if (!outgoing)
    return showConsole(services, reply, { hotel: selectedHotel, form, faults: { sender: `Connection ${form.sender} does not exist` } });
  const milliseconds = elapsed();
  const { receipt } = outgoing;
  const entry = receipt && (await findMessage(services.database, receipt.id));
  const { document, exact } = bodyText(channelRequest.body, channelRequest.headers["content-type"] ?? "");
  const isOpen = await needsNoCredentials(services, request);
  const curl = exact ? curlCommand({ ...form, xml: dropEncoding(document), url: endpointUrl(services, request), open: isOpen }) : undefined;
  const verdicts = schemas ? await validateBoth(schemas, form, outgoing) : [];
  if (mayAnswerJson(request)) return sendJson(reply, { ...responseJson(outgoing, entry), curl, verdicts });
  const property = await findMessageProperty(services, entry);
  const result = consoleResult({ outgoing, dryRun: form.dryRun, property: property?.code, milliseconds, curl, verdicts });
  const hotel = property?.code ?? selectedHotel;
  return showConsole(services, reply, { hotel, form, example: findExampleByName(request), result });
}

function refuseBeyondGrant({ user }: FastifyRequest, { dryRun, sender }: ConsoleForm): void {
  if (!user?.grant) return;
  if (!dryRun) throw new HttpException(403, "A token can only be used for dry runs. Omit the field run, or send run=check");
  if (sender !== "") throw new HttpException(403, "A token cannot be used to send as a connection. Omit the field sender");
}

/** Returns whether to send JSON. The page lists all properties, so requests with a token always get JSON. */
function mayAnswerJson(request: FastifyRequest): boolean {
  return request.user?.grant !== undefined || wantsJson(request);
}

type ConsoleSending = { form: ConsoleForm; sent: ConsoleRequest; profile: StoredProfile; hotel: string };

/** Sends the message as the chosen connection, or as the user if none is chosen. Returns `undefined` if the connection doesn't exist. */
async function submitMessage(services: DevDeps, request: FastifyRequest, sending: ConsoleSending): Promise<OutgoingResponse | undefined> {
  const { form, sent, profile, hotel } = sending;
  const { database, clock } = services;
  const who = form.sender === "" ? undefined : await findIdentity(database, form.sender);
  if (form.sender !== "" && !who) return undefined;
  const outgoing = who
    ? await sendAs(services, request, { ...sent, who: { ...who, profile: profileFrom(profile) } })
    : await sendToChannel(services, request, { ...sent, sender: { profile, hotel } });
  const { receipt } = outgoing;
  if (receipt && (who || !form.dryRun))
    await createAudit(database.write, { ...request.by, at: clock.now(), action: "send", subject: `message:${receipt.id}`, changes: [] });
  return outgoing;
}

function findExampleByName(request: FastifyRequest): Example | undefined {
  return findExample(readTyped(request.query).example ?? "");
}

function responseJson({ status, headers, body, receipt }: OutgoingResponse, entry: MessageDetail | undefined) {
  const result = entry ? { ...entryJson(entry), changes: receipt!.changes.map(runJson) } : { status, answer: bodyText(body, "").raw };
  return { ...result, answerHeaders: headers };
}

async function findMessageProperty({ database }: DevDeps, entry: MessageDetail | undefined): Promise<Property | undefined> {
  const code = entry?.message.property ?? undefined;
  return code === undefined ? undefined : findProperty(database, code);
}

type ConsoleState = { hotel: string; form: ConsoleForm; example?: Example | undefined; faults?: Faults; result?: Html };

async function showConsole(services: DevDeps, reply: FastifyReply, state: ConsoleState): Promise<FastifyReply> {
  const { hotel, form, example, faults, result = emptyHtml } = state;
  const isJson = mayAnswerJson(reply.request);
  if (faults && isJson) return sendFaults(reply, faults);
  const hotels = await exampleHotels(services);
  if (isJson) return sendJson(reply, formJson({ form, hotels, hotel }));
  const connection = form.sender || readTyped(reply.request.query).sender;
  return sendPage(reply, consolePage({ form, token: await formToken(reply), hotels, hotel, example, connection, faults, result }));
}

function formJson({ form, hotels, hotel }: { form: ConsoleForm; hotels: readonly ExampleHotel[]; hotel: string }) {
  const { transport, profile, settings, sender, action, version, xml } = form;
  return {
    property: hotel,
    message: { transport, profile, settings, sender, action, version, xml },
    properties: hotels,
    examples: EXAMPLES,
  };
}

const EXAMPLES = [...publishedMessages.flatMap(({ examples }) => examples), ...presetExamples].map(({ name, description }) => ({
  name,
  description,
}));

async function readChosenHotel(services: DevDeps, request: FastifyRequest): Promise<string> {
  const { property = "" } = readTyped(request.query);
  if (property !== "" && (await findProperty(services.database, property))) return property;
  return exampleHotel(services);
}

/** Returns the form fields for a connection's profile and name, or an empty object if it doesn't exist. */
async function senderFields({ database }: Pick<DevDeps, "database">, name: string): Promise<Partial<ConsoleForm>> {
  const sender = name === "" ? undefined : await findSender(database, name);
  return sender ? { ...profileFields(sender.profile), sender: name } : {};
}

function missingMessageNotice(message: string): Html {
  return html`<p class="notice warn">The request for message #${message} is not in the log.</p>`;
}

async function formFromMessage({ database }: DevDeps, id: string): Promise<ConsoleForm | undefined> {
  const number = readId(id);
  const loggedMessage = number ? await findMessage(database, number) : undefined;
  if (!loggedMessage?.bodies) return undefined;
  const headers = loggedMessage.notes?.headers ?? {};
  return {
    ...EMPTY_FORM,
    ...(await senderFields({ database }, loggedMessage.message.sender ?? "")),
    transport: consoleTransport(loggedMessage.message.transport),
    action: loggedMessage.message.action ?? "",
    version: headers["x-alpinebits-clientprotocolversion"] ?? "",
    xml: dropEncoding(bodyText(loggedMessage.bodies.request, headers["content-type"] ?? "").document),
  };
}
