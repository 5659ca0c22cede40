import { mapHtml, type Html, html, emptyHtml } from "../../../web/html.ts";
import { isolateDirections } from "../../../web/parts/isolate.ts";
import { path } from "../../../web/path.ts";
import type { SchemaName, SchemaValidator, SchemaVerdict } from "../../../xml/schemas.ts";
import type { OutgoingResponse } from "../../channel/exchange.ts";
import { bodyText, MAX_SHOWN_CHARACTERS, shownBody } from "../log/body.ts";
import { changesSection } from "../log/changes-grid.ts";
import { rawBodyPath } from "../log/entry.ts";
import { notesList, outcomeBadge } from "../log/message-parts.ts";
import { type ConsoleForm, rootName } from "./form.ts";

export type ConsoleResult = {
  outgoing: OutgoingResponse;
  dryRun: boolean;
  property: string | undefined;
  milliseconds: number;
  curl: string | undefined;
  verdicts: readonly NamedVerdict[];
};

export function consoleResult(result: ConsoleResult): Html {
  const { outgoing, dryRun, milliseconds, curl } = result;
  return html`<section class="panel" aria-labelledby="result" data-focus tabindex="-1">
    <h2 id="result">
      Response ${outgoing.status}${outgoing.receipt ? html` ${outcomeBadge(outgoing.receipt.verdict.outcome)}` : emptyHtml}
    </h2>
    <p role="status">
      ${dryRun ? html`<b>Dry run.</b> Only the log entry was stored.` : "Message sent."} Response time ${milliseconds.toFixed(1)} ms.
      ${logEntryLink(outgoing)}
    </p>
    ${outgoing.receipt === undefined ? html`<p>The message could not be written to the log.</p>` : effectText(result)}
    <h3>Headers</h3>
    <p>${mapHtml(Object.entries(outgoing.headers), ([name, value]) => html`<code>${name}: ${value}</code><br />`)}</p>
    <h3>Body</h3>
    ${shownBody({
      label: "Response",
      document: bodyText(outgoing.body, "").raw,
      raw: outgoing.receipt && rawBodyPath(outgoing.receipt.id, "answer"),
    })}
    ${schemaSection(result.verdicts)} ${curl === undefined || curl.length > MAX_SHOWN_CHARACTERS ? emptyHtml : curlSection(result, curl)}
  </section>`;
}

function curlSection({ dryRun }: ConsoleResult, curl: string): Html {
  return html`<details>
    <summary>Send with curl</summary>
    ${dryRun ? html`<p class="hint">This command is not a dry run unless the root element has <code>Target="Test"</code>.</p>` : emptyHtml}
    <p><button type="button" class="small" data-copy="curl">Copy</button></p>
    <pre id="curl" tabindex="0">${curl}</pre>
  </details>`;
}

function logEntryLink({ receipt }: OutgoingResponse): Html {
  if (!receipt) return emptyHtml;
  return html`Logged as <a href="${path`/dev/logs/${receipt.id}`}">message #${receipt.id}</a>${
      receipt.sameAs === undefined ? emptyHtml : html`, same body as <a href="${path`/dev/logs/${receipt.sameAs}`}">#${receipt.sameAs}</a>`
    }.`;
}

function effectText({ outgoing, dryRun, property }: ConsoleResult): Html {
  const { verdict, changedNights, changes } = outgoing.receipt!;
  const isAccepted = verdict.outcome === "ok" || verdict.outcome === "warnings";
  return html`<p>${isolateDirections(verdict.summary)}</p>
    ${notesList(verdict.notes)}
    ${
      isAccepted
        ? html`<h3>${dryRun ? "Changes it would make" : "Changes"}</h3>
            ${changesSection({ property, nights: changedNights, changes })}`
        : emptyHtml
    }`;
}

export type NamedVerdict = SchemaVerdict & { of: "The message" | "The response" };

export async function validateBoth(
  schemas: SchemaValidator,
  { transport, version, xml }: ConsoleForm,
  outgoing: OutgoingResponse,
): Promise<NamedVerdict[]> {
  const isAlpineBits = transport === "alpinebits" && version !== "";
  const schemaName = (text: string): SchemaName => (isAlpineBits ? { version } : { root: rootName(text) });
  const answer = Buffer.from(outgoing.body).toString("utf8");
  const message = await schemas.validate(Buffer.from(xml), schemaName(xml));
  const response = answer.trimStart().startsWith("<") ? await schemas.validate(outgoing.body, schemaName(answer)) : undefined;
  return [
    ...(message ? [{ of: "The message" as const, ...message }] : []),
    ...(response ? [{ of: "The response" as const, ...response }] : []),
  ];
}

export function schemaSection(verdicts: readonly NamedVerdict[]): Html {
  if (verdicts.length === 0) return emptyHtml;
  return html`<h3>Schema</h3>
    <p>For information only. The channel does not validate messages against a schema.</p>
    ${mapHtml(
      verdicts,
      (verdict) =>
        html`<p>
            <b>${verdict.of}</b> ${verdict.errors.length === 0 ? "is valid against" : "is not valid against"} <code>${verdict.schema}</code>
          </p>
          ${
            verdict.errors.length === 0
              ? emptyHtml
              : html`<ul>
                  ${mapHtml(verdict.errors, (error) => html`<li>${error}</li>`)}
                </ul>`
          }`,
    )}`;
}
