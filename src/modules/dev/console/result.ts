import { each, type Html, html, nothing } from "../../../web/html.ts";
import { isolate } from "../../../web/parts/isolate.ts";
import { path } from "../../../web/path.ts";
import type { Outgoing } from "../../channel/exchange.ts";
import { bodyText } from "../log/body-text.ts";
import { changesTable } from "../log/changes.ts";
import { wholeBody } from "../log/detail-page.ts";
import { notesList, outcomeBadge } from "../log/outcome.ts";
import { LONGEST_SHOWN, shownBody } from "../log/shown-body.ts";
import { type NamedVerdict, schemaVerdicts } from "./schema-verdicts.ts";

/** What came back from the channel, and what to show it with. */
export type ConsoleResult = {
  outgoing: Outgoing;
  dryRun: boolean;
  property: string | undefined;
  /** Milliseconds. */
  took: number;
  /** Undefined when what was sent is no text. */
  curl: string | undefined;
  /** What the schemas say of the message and of its answer, where there are some. */
  verdicts: readonly NamedVerdict[];
};

/** The answer to a message that was sent: what became of it, in words first. */
export function consoleResult(result: ConsoleResult): Html {
  const { outgoing, dryRun, took, curl } = result;
  return html`<section class="panel" aria-labelledby="result" data-focus tabindex="-1">
    <h2 id="result">Answer ${outgoing.status}${outgoing.receipt ? html` ${outcomeBadge(outgoing.receipt.verdict.outcome)}` : nothing}</h2>
    <p role="status">
      ${dryRun ? html`<b>Dry run: nothing was stored</b> but the entry in the log.` : "Sent through the channel."} Answered in
      ${took.toFixed(1)} ms${entryLink(outgoing)}.
    </p>
    ${outgoing.receipt === undefined ? html`<p>Not even the message log could be written.</p>` : effect(result)}
    <h3>Headers</h3>
    <p>${each(Object.entries(outgoing.headers), ([name, value]) => html`<code>${name}: ${value}</code><br />`)}</p>
    <h3>Body</h3>
    ${shownBody("Answer", bodyText(outgoing.body, "").raw, outgoing.receipt && wholeBody(outgoing.receipt.id, "answer"))}
    ${schemaVerdicts(result.verdicts)} ${curl === undefined || curl.length > LONGEST_SHOWN ? nothing : sameWithCurl(result, curl)}
  </section>`;
}

function sameWithCurl({ dryRun }: ConsoleResult, curl: string): Html {
  return html`<details>
    <summary>The same with curl</summary>
    ${dryRun ? html`<p class="hint">Sent so, it is stored, unless its root element has <code>Target="Test"</code>.</p>` : nothing}
    <p><button type="button" class="small" data-copy="curl">Copy</button></p>
    <pre id="curl" tabindex="0">${curl}</pre>
  </details>`;
}

function entryLink({ receipt }: Outgoing): Html {
  if (!receipt) return nothing;
  return html`, kept as <a href="${path`/dev/logs/${receipt.id}`}">message #${receipt.id}</a>${
      receipt.sameAs === undefined ? nothing : html`, same body as <a href="${path`/dev/logs/${receipt.sameAs}`}">#${receipt.sameAs}</a>`
    }`;
}

function effect({ outgoing, dryRun, property }: ConsoleResult): Html {
  const { verdict, changedNights, changes } = outgoing.receipt!;
  const accepted = verdict.outcome === "ok" || verdict.outcome === "warnings";
  return html`<p>${isolate(verdict.summary)}</p>
    ${notesList(verdict.notes)}
    ${
      accepted
        ? html`<h3>${dryRun ? "What it would change" : "What it changed"}</h3>
            ${changesTable({ property, nights: changedNights, changes })}`
        : nothing
    }`;
}
