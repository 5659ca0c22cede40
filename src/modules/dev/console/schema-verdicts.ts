import { each, type Html, html, nothing } from "../../../web/html.ts";
import type { Outgoing } from "../../channel/exchange.ts";
import type { SchemaName, Schemas, SchemaVerdict } from "../../channel/xml/schemas.ts";
import { type ConsoleForm, rootOf } from "./form.ts";

export type NamedVerdict = SchemaVerdict & { of: "The message" | "The answer" };

/** What the schemas say of a message as it was typed, and of its answer. An answer that is no XML is not judged. */
export async function judgeBoth(schemas: Schemas, { transport, version, xml }: ConsoleForm, outgoing: Outgoing): Promise<NamedVerdict[]> {
  const isForm = transport === "alpinebits" && version !== "";
  const nameOf = (text: string): SchemaName => (isForm ? { version } : { root: rootOf(text) });
  const answer = Buffer.from(outgoing.body).toString("utf8");
  const message = await schemas.judge(Buffer.from(xml), nameOf(xml));
  const answered = answer.trimStart().startsWith("<") ? await schemas.judge(outgoing.body, nameOf(answer)) : undefined;
  return [
    ...(message ? [{ of: "The message" as const, ...message }] : []),
    ...(answered ? [{ of: "The answer" as const, ...answered }] : []),
  ];
}

/** The verdicts as information: the channel does not ask a schema. */
export function schemaVerdicts(verdicts: readonly NamedVerdict[]): Html {
  if (verdicts.length === 0) return nothing;
  return html`<h3>Schema</h3>
    <p>For information: the channel accepts what senders really write, valid or not.</p>
    ${each(
      verdicts,
      (verdict) =>
        html`<p><b>${verdict.of}</b> ${verdictWords(verdict)} <code>${verdict.schema}</code></p>
          ${
            verdict.faults.length === 0
              ? nothing
              : html`<ul>
                  ${each(verdict.faults, (fault) => html`<li>${fault}</li>`)}
                </ul>`
          }`,
    )}`;
}

function verdictWords({ faults }: SchemaVerdict): string {
  return faults.length === 0 ? "is valid by" : "is not valid by";
}
