import type { FastifyRequest } from "fastify";
import type { Faults } from "../../../web/form.ts";
import { OPEN_USER } from "../../../web/guard/user.ts";
import type { FieldWords } from "../../../web/parts/field-words.ts";
import { escapeText } from "../../../xml/write.ts";
import { ALPINEBITS_VERSIONS } from "../../channel/dialects/alpinebits.ts";
import { wrapRequest, type Transport } from "../../channel/example.ts";
import { type OutgoingResponse } from "../../channel/exchange.ts";
import type { StoredProfile } from "../../channel/profiles/knobs.ts";
import { findPreset, PRESETS, profileFrom, STANDARD_PRESET } from "../../channel/profiles/presets.ts";
import { readProfile, settingWords } from "../../channel/profiles/words.ts";
import { type AuthenticatedClient } from "../../channel/senders/access.ts";
import { bodyText, dropEncoding } from "../log/body.ts";
import { type DevDeps } from "../needs.ts";

export const TRANSPORT_CHOICES = [
  ["raw", "Plain XML"],
  ["json", "JSON"],
  ["soap11", "SOAP 1.1"],
  ["soap12", "SOAP 1.2"],
  ["alpinebits", "AlpineBits form"],
] as const satisfies readonly (readonly [Transport, string])[];

export const PROFILE_CHOICES = PRESETS.map(({ name }) => [name, name] as const);

export const CONSOLE_WORDS: FieldWords = {
  labels: {
    transport: "Transport",
    profile: "Profile",
    settings: "Profile settings",
    sender: "Send as",
    messageAction: "AlpineBits action",
    version: "AlpineBits version",
    username: "SOAP username",
    password: "SOAP password",
    xml: "Message",
    file: "File",
    run: "Run",
  },
  choices: {
    transport: () => TRANSPORT_CHOICES,
    profile: () => PROFILE_CHOICES,
    run: () => [
      ["dry", "Dry run"],
      ["apply", "Send and apply"],
    ],
  },
};

export type ConsoleForm = {
  transport: Transport;
  /** The name of a preset. */
  profile: string;
  /** Settings that differ from the preset, such as `end=excluded distribution=ABC`. */
  settings: string;
  /** The connection to send as, with its properties and codes. Empty to send as the signed-in user. */
  sender: string;
  action: string;
  version: string;
  username: string;
  password: string;
  xml: string;
  file: Uint8Array | undefined;
  dryRun: boolean;
};

export const EMPTY_FORM: ConsoleForm = {
  transport: "raw",
  profile: STANDARD_PRESET,
  settings: "",
  sender: "",
  action: "",
  version: "2024-10",
  username: "",
  password: "",
  xml: "",
  file: undefined,
  dryRun: true,
};

export function readConsoleForm(body: unknown): ConsoleForm {
  const fields = body as Readonly<Record<string, unknown>>;
  const text = (name: string) => (typeof fields[name] === "string" ? fields[name] : "");
  const file = Buffer.isBuffer(fields.file) && fields.file.length > 0 ? fields.file : undefined;
  return {
    transport: TRANSPORT_CHOICES.find(([transport]) => transport === text("transport"))?.[0] ?? "raw",
    profile: text("profile") || STANDARD_PRESET,
    settings: text("settings").trim(),
    sender: text("sender").trim(),
    action: text("messageAction").trim(),
    version: ALPINEBITS_VERSIONS.find((version) => version === text("version")) ?? "",
    username: text("username"),
    password: text("password"),
    xml: file ? dropEncoding(bodyText(file, "application/xml").raw) : text("xml").replaceAll("\r\n", "\n"),
    file,
    dryRun: text("run") !== "apply",
  };
}

export function consoleProfile({ profile, settings }: ConsoleForm): StoredProfile | { faults: Faults } {
  const parsedProfile = readProfile({ profile, set: settings.split(/\s+/).filter((word) => word !== "") });
  if (typeof parsedProfile !== "string") return parsedProfile;
  return { faults: { [findPreset(profile) ? "settings" : "profile"]: parsedProfile } };
}

export function profileFields({ preset, settings }: StoredProfile): Pick<ConsoleForm, "profile" | "settings"> {
  return { profile: preset, settings: settingWords(settings).join(" ") };
}

/** Builds the request that a sender would make. Adds an envelope unless the message already has one. */
export function toChannelRequest(form: ConsoleForm): ConsoleRequest {
  const { transport, xml, file, dryRun } = form;
  const sending = { transport, action: form.action || undefined, version: form.version || undefined };
  const { headers, body } = wrapRequest(xml, sending);
  if (transport === "alpinebits") return { headers: { ...headers, "x-alpinebits-clientid": "console" }, body, dryRun };
  if (transport === "raw" || transport === "json" || rootName(xml) === "Envelope")
    return { headers, body: file ?? Buffer.from(xml), dryRun };
  return { headers, body: withUsernameToken(body, form), dryRun };
}

const ROOT_PATTERN = /^(?:\s|<\?[^>]*>|<!--(?:[^-]|-(?!->))*-->)*<(?:[\w.-]+:)?([\w.-]+)[\s/>]/;

/** Returns the root element's local name, or an empty string. The rest need not be well-formed. */
export function rootName(xml: string): string {
  return ROOT_PATTERN.exec(xml.slice(0, 10_000))?.[1] ?? "";
}

const WSSE_NAMESPACE = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";

function withUsernameToken(envelope: Uint8Array, { username, password }: ConsoleForm): Uint8Array {
  if (username === "") return envelope;
  const token = `<wsse:Security xmlns:wsse="${WSSE_NAMESPACE}"><wsse:UsernameToken><wsse:Username>${escapeText(username)}</wsse:Username><wsse:Password>${escapeText(password)}</wsse:Password></wsse:UsernameToken></wsse:Security>`;
  return Buffer.from(
    Buffer.from(envelope)
      .toString("utf8")
      .replace(/<(\w+):Header\/>/, (_, prefix: string) => `<${prefix}:Header>${token}</${prefix}:Header>`),
  );
}

export type ConsoleRequest = { headers: Readonly<Record<string, string>>; body: Uint8Array; dryRun: boolean; original?: number };

/** How to read a message. `hotel` is the property, if the profile takes it from the sender's credentials. */
export type ConsoleSender = { profile: StoredProfile; hotel: string };

/** Sends a message through the channel without sender credentials. The signed-in user is the sender. */
export function sendToChannel(
  services: DevDeps,
  request: FastifyRequest,
  { sender, ...sent }: ConsoleRequest & { sender: ConsoleSender },
): Promise<OutgoingResponse> {
  const { actor, user } = request;
  const profile = profileFrom(sender.profile);
  const tokenProperties = user?.grant?.properties;
  const hotels = profile.hotelCode === "credential" && { hotels: [sender.hotel] };
  const who: AuthenticatedClient = tokenProperties
    ? { state: "sender", name: actor, profile, hotels: tokenProperties }
    : { state: "open", ...(actor !== OPEN_USER.name && { name: actor }), profile, ...hotels };
  return sendAs(services, request, { ...sent, who });
}

/** Sends a message through the channel as a sender, without the sender's credentials. */
export function sendAs(
  { handle }: DevDeps,
  request: FastifyRequest,
  sent: ConsoleRequest & { who: AuthenticatedClient },
): Promise<OutgoingResponse> {
  return handle({ ...sent, remote: request.ip, via: "console" }, request);
}
