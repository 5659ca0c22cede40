import { each, type Html, html, nothing } from "../../../web/html.ts";
import type { SchemaName, Schemas, SchemaVerdict } from "../../../xml/schemas.ts";
import type { Outgoing } from "../../channel/exchange.ts";
import { type ConsoleForm, rootOf } from "./form.ts";

export type NamedVerdict = SchemaVerdict & { of: "The message" | "The response" };

/** Validates a message and its response. Skips a response that is not XML. */
export async function validateBoth(
  schemas: Schemas,
  { transport, version, xml }: ConsoleForm,
  outgoing: Outgoing,
): Promise<NamedVerdict[]> {
  const isAlpineBits = transport === "alpinebits" && version !== "";
  const nameOf = (text: string): SchemaName => (isAlpineBits ? { version } : { root: rootOf(text) });
  const answer = Buffer.from(outgoing.body).toString("utf8");
  const message = await schemas.judge(Buffer.from(xml), nameOf(xml));
  const response = answer.trimStart().startsWith("<") ? await schemas.judge(outgoing.body, nameOf(answer)) : undefined;
  return [
    ...(message ? [{ of: "The message" as const, ...message }] : []),
    ...(response ? [{ of: "The response" as const, ...response }] : []),
  ];
}

export function schemaSection(verdicts: readonly NamedVerdict[]): Html {
  if (verdicts.length === 0) return nothing;
  return html`<h3>Schema</h3>
    <p>For information only. The channel does not validate messages against a schema.</p>
    ${each(
      verdicts,
      (verdict) =>
        html`<p><b>${verdict.of}</b> ${validity(verdict)} <code>${verdict.schema}</code></p>
          ${
            verdict.faults.length === 0
              ? nothing
              : html`<ul>
                  ${each(verdict.faults, (fault) => html`<li>${fault}</li>`)}
                </ul>`
          }`,
    )}`;
}

function validity({ faults }: SchemaVerdict): string {
  return faults.length === 0 ? "is valid against" : "is not valid against";
}
