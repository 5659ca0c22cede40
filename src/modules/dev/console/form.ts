import type { FieldWords } from "../../../web/parts/field-words.ts";
import { ALPINEBITS_VERSIONS } from "../../channel/dialects.ts";
import { requestOf } from "../../channel/example-request.ts";
import type { Transport } from "../../channel/example.ts";
import { escapeText } from "../../channel/xml/write.ts";
import { bodyText, inUtf8 } from "../log/body-text.ts";
import type { ConsoleRequest } from "./send.ts";

/** How a message can be sent from the console, and what people call it. */
export const TRANSPORTS = [
  ["raw", "Plain XML"],
  ["soap11", "SOAP 1.1"],
  ["soap12", "SOAP 1.2"],
  ["alpinebits", "AlpineBits form"],
] as const satisfies readonly (readonly [Transport, string])[];

/** What people call the fields of the console. */
export const CONSOLE_WORDS: FieldWords = {
  labels: {
    transport: "Transport",
    messageAction: "AlpineBits action",
    version: "AlpineBits version",
    username: "SOAP user name",
    password: "SOAP password",
    xml: "Message",
    file: "File",
    run: "Run",
  },
  choices: {
    transport: TRANSPORTS,
    run: [
      ["dry", "Dry run"],
      ["apply", "Send and apply"],
    ],
  },
};

/** What is in the console's form. */
export type ConsoleForm = {
  transport: Transport;
  /** AlpineBits. */
  action: string;
  version: string;
  /** SOAP: put into the envelope as WSSE. */
  username: string;
  password: string;
  xml: string;
  /** A file that was chosen; it goes before the text. */
  file: Uint8Array | undefined;
  dryRun: boolean;
};

/** The console's first content. */
export const EMPTY_FORM: ConsoleForm = {
  transport: "raw",
  action: "",
  version: "2024-10",
  username: "",
  password: "",
  xml: "",
  file: undefined,
  dryRun: true,
};

/** Reads the posted form. The message stays as it was typed but for the line ends of browsers. */
export function readConsoleForm(body: unknown): ConsoleForm {
  const fields = body as Readonly<Record<string, unknown>>;
  const text = (name: string) => (typeof fields[name] === "string" ? fields[name] : "");
  const file = Buffer.isBuffer(fields.file) && fields.file.length > 0 ? fields.file : undefined;
  return {
    transport: TRANSPORTS.find(([transport]) => transport === text("transport"))?.[0] ?? "raw",
    action: text("messageAction").trim(),
    version: ALPINEBITS_VERSIONS.find((version) => version === text("version")) ?? "",
    username: text("username"),
    password: text("password"),
    xml: file ? inUtf8(bodyText(file, "application/xml").raw) : text("xml").replaceAll("\r\n", "\n"),
    file,
    dryRun: text("run") !== "apply",
  };
}

/** The request as a sender would make it. A document that has its envelope already gets no second one. */
export function requestOfForm(form: ConsoleForm): ConsoleRequest {
  const { transport, xml, file, dryRun } = form;
  const sending = { transport, action: form.action || undefined, version: form.version || undefined };
  const { headers, body } = requestOf(xml, sending);
  if (transport === "alpinebits") return { headers: { ...headers, "x-alpinebits-clientid": "console" }, body, dryRun };
  if (transport === "raw" || rootOf(xml) === "Envelope") return { headers, body: file ?? Buffer.from(xml), dryRun };
  return { headers, body: withToken(body, form), dryRun };
}

/** Blanks, instructions and comments, each up to its own end, then the name. */
const ROOT = /^(?:\s|<\?[^>]*>|<!--(?:[^-]|-(?!->))*-->)*<(?:[\w.-]+:)?([\w.-]+)[\s/>]/;

/** The local name of the root element, from its start tag alone; empty without one. */
export function rootOf(xml: string): string {
  return ROOT.exec(xml.slice(0, 10_000))?.[1] ?? "";
}

const WSSE = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";

/** Puts a UsernameToken into the empty header of the envelope. */
function withToken(envelope: Uint8Array, { username, password }: ConsoleForm): Uint8Array {
  if (username === "") return envelope;
  const token = `<wsse:Security xmlns:wsse="${WSSE}"><wsse:UsernameToken><wsse:Username>${escapeText(username)}</wsse:Username><wsse:Password>${escapeText(password)}</wsse:Password></wsse:UsernameToken></wsse:Security>`;
  return Buffer.from(
    Buffer.from(envelope)
      .toString("utf8")
      .replace(/<(\w+):Header\/>/, (_, prefix: string) => `<${prefix}:Header>${token}</${prefix}:Header>`),
  );
}
