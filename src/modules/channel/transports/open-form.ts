import { decodeXml } from "../../../xml/decode.ts";
import type { Refusal } from "../answer/reply.ts";
import { ALPINEBITS_VERSIONS, type AlpineBitsVersion, dialectOfForm, knownVersion } from "../dialects.ts";
import { type Document, readDocument } from "../document/read.ts";
import { isUnreadable } from "../document/root.ts";
import type { Opened } from "../exchange.ts";
import type { Message } from "../message.ts";
import { emptyBody, note, notWellFormed, unknownAction } from "../ota-error.ts";
import type { FormPart } from "./form.ts";
import { type Context, refused } from "./opened.ts";
import { type Form, recognise } from "./recognise.ts";

/** Opens a form: its action says which message it must hold. */
export function openForm({ base, headers, messages, isWhole }: Context, form: Form): Opened {
  const asked = headers["x-alpinebits-clientprotocolversion"];
  const version = knownVersion(asked);
  const opened: Opened = { ...base, transport: form.transport, dialect: dialectOfForm(asked), action: form.action };
  if (asked !== undefined && !version) return refused(opened, 400, note(UNKNOWN_VERSION));
  if (form.twice !== undefined) return refused(opened, 400, note(`the form has more than one ${form.twice}`));
  const message = messages.find(({ actions }) =>
    actions.some(({ action, capabilities }) => action === form.action && (!version || capabilities(version))),
  );
  const request = form.request ?? (isWhole ? NOTHING : undefined);
  // The rest of a form may still hold its action or its message.
  if (!message && (isWhole || form.action !== undefined)) return refused(opened, 400, unknownAction());
  if (!request) return opened;
  const assumed = version ?? (message && assumedVersion(message, form.action)) ?? "2024-10";
  const dialect = { name: "alpinebits", version: assumed, strict: asked !== undefined } as const;
  return openMessage({ ...opened, dialect }, request, { message, messages, isWhole });
}

const UNKNOWN_VERSION = `your current alpinebits version does not match one of the servers supported versions ${ALPINEBITS_VERSIONS.join(", ")}`;

/** The newest version that has the action. */
function assumedVersion({ actions }: Message, name: string | undefined): AlpineBitsVersion {
  const action = actions.find((one) => one.action === name)!;
  return ALPINEBITS_VERSIONS.findLast((version) => action.capabilities(version)) ?? "2024-10";
}

const NOTHING: FormPart = { name: "request", content: new Uint8Array() };

type Choice = { message: Message | undefined; messages: readonly Message[]; isWhole: boolean };

function openMessage(opened: Opened, { content, type }: FormPart, { message, messages, isWhole }: Choice): Opened {
  if (recognise(content, "").kind === "empty") return { ...refused(opened, 400, emptyBody()), empty: true };
  const decoded = decodeXml(content, type, { isWhole });
  if ("fault" in decoded) return refused(opened, 400, notWellFormed(decoded.at, decoded.fault));
  const { dialect, action } = opened;
  const document = readDocument({ ...decoded, dialect, messages, isWhole });
  if (dialect.name === "alpinebits" && !dialect.strict)
    document.report.advise(`no protocol version was sent; ${dialect.version} was assumed`);
  const credentials = opened.credentials ?? document.credentials;
  return { ...opened, source: decoded.source, document, credentials, refusal: refusalOf(document, message, action) };
}

/** A document that cannot be read is told before one that is another than its action says. */
function refusalOf({ root, problem }: Document, message: Message | undefined, action: string | undefined): Refusal | undefined {
  const isOther = message && root !== undefined && root !== message.root && !isUnreadable(problem);
  if (isOther) return { status: 400, fault: note(`action ${action} does not match message ${root}`) };
  return problem && { status: 400, fault: problem.fault };
}
