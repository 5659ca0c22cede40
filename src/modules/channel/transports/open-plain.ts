import { decodeXml } from "../../../xml/decode.ts";
import type { Refusal } from "../answer/reply.ts";
import { type Dialect, envelopeIn } from "../dialects.ts";
import { type Document, readDocument } from "../document/read.ts";
import { isUnreadable, type Problem } from "../document/root.ts";
import type { Opened } from "../exchange.ts";
import { emptyBody, note, notWellFormed, notXml, unknownAction } from "../ota-error.ts";
import { type Context, refused } from "./opened.ts";
import type { Recognised } from "./recognise.ts";

/** Opens what is no form: XML, bare or in an envelope; anything else is refused. */
export function openPlain(context: Context, { kind }: Exclude<Recognised, { kind: "form" }>): Opened {
  const { base, isWhole } = context;
  const isAlpineBits = base.dialect.name === "alpinebits";
  // An empty form has no part that names its action.
  if (kind === "empty" && !isWhole) return base;
  if (kind === "empty") return { ...refused(base, 400, isAlpineBits ? unknownAction() : emptyBody()), empty: true };
  if (kind === "json") return refused(base, 415, notXml());
  if (kind === "broken-form") return refused(base, 400, note("the form cannot be read: bad or missing boundary"));
  if (kind === "other" && isAlpineBits) return refused(base, 415, note("the content type is not supported; send multipart/form-data"));
  return openXml(context);
}

function openXml({ base, bytes, isWhole, headers, messages }: Context): Opened {
  const decoded = decodeXml(bytes, headers["content-type"], { isWhole });
  if ("fault" in decoded) {
    const refusal = { status: 400, fault: notWellFormed(decoded.at, decoded.fault), unreadable: true };
    return { ...base, transport: transportOf(base.dialect), refusal };
  }
  const document = readDocument({ ...decoded, dialect: { name: "plain", envelope: "none" }, messages, isWhole });
  const dialect = plainDialect(document, base.dialect);
  return {
    ...base,
    transport: transportOf(dialect),
    dialect,
    source: decoded.source,
    document,
    credentials: base.credentials ?? document.credentials,
    refusal: document.problem && refusalOf(document.problem),
  };
}

function transportOf(dialect: Dialect): Opened["transport"] {
  const envelope = envelopeIn(dialect);
  return envelope === "none" ? "raw" : envelope;
}

/** The envelope in the document; when that cannot be read, the one that the headers promise. */
function plainDialect({ envelope, problem }: Document, promised: Dialect): Dialect {
  return { name: "plain", envelope: envelope === "none" && isUnreadable(problem) ? envelopeIn(promised) : envelope };
}

/** An unsupported message gets an answer in its own name, not a refusal. */
function refusalOf(problem: Problem): Refusal | undefined {
  const { kind, fault } = problem;
  if (kind === "unsupported") return undefined;
  return { status: 400, fault, unreadable: isUnreadable(problem) || kind === "empty-envelope" };
}
