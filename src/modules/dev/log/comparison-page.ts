import type { FastifyReply } from "fastify";
import type { MessageRow } from "../../../db/schema.ts";
import { findBodies, findPrevious, type StoredBodies, type MessageDetail } from "../../../journal/messages.ts";
import { textExcerpt } from "../../../text.ts";
import { mapHtml, type Html, html, emptyHtml } from "../../../web/html.ts";
import { sendJson } from "../../../web/json.ts";
import { wantsJson } from "../../../web/negotiate.ts";
import { type Page, sendPage } from "../../../web/page.ts";
import { formatNumber, formatCount } from "../../../web/parts/amount.ts";
import { isolateDirections } from "../../../web/parts/isolate.ts";
import { momentHtml } from "../../../web/parts/moment.ts";
import { path, withQuery } from "../../../web/path.ts";
import type { DevDeps } from "../needs.ts";
import { bodyText } from "./body.ts";
import { type DifferenceBlock, compareDocuments, type DocumentComparison, MAX_COMPARED_LINES } from "./comparison.ts";

export type ComparisonObstacle = "unknown type" | "first of its type" | "own body gone" | "previous body gone";

export type MessageComparison = { message: MessageRow; previous: MessageRow | undefined } & (
  | { obstacle: ComparisonObstacle }
  | { obstacle?: never; same: boolean; comparison: DocumentComparison }
);

const MAX_SHOWN_LINES = 2_000;

export function comparisonPage(messageComparison: MessageComparison): Page {
  const { message, previous } = messageComparison;
  return {
    title: `Compare message #${message.id}`,
    wide: true,
    lead: "Compares the request with the previous one that has the same type, property and sender.",
    actions: html`<a class="button" href="${path`/dev/logs/${message.id}`}">Message #${message.id}</a>
      <a class="button" href="${withQuery(path`/dev/logs/${message.id}`, { compare: "previous", format: "json" })}">JSON</a>`,
    main: html`${previous === undefined ? emptyHtml : messagePair(message, previous)}
    ${messageComparison.obstacle === undefined ? differenceSection(messageComparison) : html`<p class="empty">${obstacleText(messageComparison.obstacle, messageComparison)}</p>`}`,
  };
}

function messagePair(message: MessageRow, previous: MessageRow): Html {
  return html`<dl class="facts">
    <dt>Previous message</dt>
    <dd>${messageLink(previous)}</dd>
    <dt>This message</dt>
    <dd>${messageLink(message)}</dd>
  </dl>`;
}

function messageLink({ id, received_at, summary }: MessageRow): Html {
  return html`<a href="${path`/dev/logs/${id}`}">#${id}</a>, received ${momentHtml(received_at)}: ${isolateDirections(summary)}`;
}

export function obstacleText(obstacle: ComparisonObstacle, { message, previous }: Pick<MessageComparison, "message" | "previous">): string {
  if (obstacle === "unknown type") return `The type of message #${message.id} was not recognised, so there is no previous message.`;
  if (obstacle === "first of its type") {
    const property = message.property === null ? "without a property" : `for ${message.property}`;
    return `No earlier ${message.root} ${property} from the same sender.`;
  }
  const messageWithoutBody = obstacle === "own body gone" ? message : previous;
  return `The request for #${messageWithoutBody?.id} is no longer available. It expired or was deleted.`;
}

function differenceSection({ message, previous, same, comparison }: Extract<MessageComparison, { obstacle?: never }>): Html {
  const { blocks, complete, approximate } = comparison;
  const count = (of: string) => blocks.filter((block) => block.of === of).reduce((sum, { lines }) => sum + lines.length, 0);
  const [removed, added] = [count("earlier"), count("later")];
  return html`<section>
    <h2>Differences</h2>
    <p>
      ${
        removed + added === 0
          ? sameText(same)
          : html`${formatCount(removed, "line")} only in #${previous!.id} (<b>-</b>), ${formatCount(added, "line")} only in #${message.id}
            (<b>+</b>).`
      }
      ${complete ? emptyHtml : `Only the first ${formatNumber(MAX_COMPARED_LINES)} lines of each request were compared.`}
      ${approximate ? "The requests differ too much for an exact comparison. Some lines may be listed as both removed and added." : emptyHtml}
    </p>
    ${removed + added === 0 ? emptyHtml : differenceText(differenceLines(blocks))}
  </section>`;
}

function sameText(same: boolean): string {
  return same ? "The requests are identical." : "The documents are identical. Only whitespace or the envelope around them differs.";
}

function differenceText(lines: readonly DifferenceLine[]): Html {
  return html`<pre
      tabindex="0"
      aria-label="Differences"
    ><code class="difference">${mapHtml(lines.slice(0, MAX_SHOWN_LINES), lineHtml)}</code></pre>
    ${lines.length > MAX_SHOWN_LINES ? html`<p class="hint">First ${formatNumber(MAX_SHOWN_LINES)} lines</p>` : emptyHtml}`;
}

function lineHtml({ of, text }: DifferenceLine): Html {
  if (of === "earlier") return html`<del>- ${text}</del>${"\n"}`;
  if (of === "later") return html`<ins>+ ${text}</ins>${"\n"}`;
  return of === "both" ? html`${`  ${text}\n`}` : html`<span class="muted">${`  ${text}\n`}</span>`;
}

type DifferenceLine = { of: DifferenceBlock["of"] | "gap"; text: string };

const CONTEXT_LINES = 3;
const MAX_LINE_LENGTH = 1_000;
const MAX_INDENT_DEPTH = 40;

export function differenceLines(blocks: readonly DifferenceBlock[]): DifferenceLine[] {
  const last = blocks.length - 1;
  return indentBlocks(blocks).flatMap(({ of, lines }, at): DifferenceLine[] => {
    if (of !== "both") return lines.map((text) => ({ of, text }));
    const [before, after] = [at === 0 ? 0 : CONTEXT_LINES, at === last ? 0 : CONTEXT_LINES];
    const hiddenCount = lines.length - before - after;
    if (hiddenCount <= 1) return lines.map((text) => ({ of, text }));
    const gap = { of: "gap", text: `… ${formatCount(hiddenCount, "unchanged line")}` } as const;
    const unchangedLines = (some: readonly string[]) => some.map((text) => ({ of, text }));
    return [...unchangedLines(lines.slice(0, before)), gap, ...unchangedLines(lines.slice(lines.length - after))];
  });
}

/** Indents the lines. Removed lines start at the same depth as the lines that replace them. */
function indentBlocks(blocks: readonly DifferenceBlock[]): DifferenceBlock[] {
  let depth = 0;
  return blocks.map(({ of, lines }) => {
    let inner = depth;
    const indentedLines = lines.map((line) => {
      const spaces = "  ".repeat(Math.max(0, Math.min(inner - Number(line.startsWith("</")), MAX_INDENT_DEPTH)));
      inner += depthChange(line);
      return spaces + textExcerpt(line, 0, MAX_LINE_LENGTH);
    });
    if (of !== "earlier") depth = inner;
    return { of, lines: indentedLines };
  });
}

function depthChange(line: string): number {
  return Number(/^<[^/!?]/.test(line)) - Number(line.endsWith("/>") || line.includes("</"));
}

export async function sendComparison({ database }: DevDeps, detail: MessageDetail, reply: FastifyReply): Promise<FastifyReply> {
  const { message } = detail;
  const previousMessage = message.root === null ? undefined : await findPrevious(database, message);
  const messageComparison = await compareMessages(
    detail,
    previousMessage,
    previousMessage && (await findBodies(database, previousMessage.id)),
  );
  return wantsJson(reply.request) ? sendJson(reply, comparisonJson(messageComparison)) : sendPage(reply, comparisonPage(messageComparison));
}

async function compareMessages(
  { message, bodies, notes }: MessageDetail,
  previous: MessageRow | undefined,
  previousBodies: StoredBodies | undefined,
): Promise<MessageComparison> {
  if (message.root === null) return { message, previous, obstacle: "unknown type" };
  if (!previous) return { message, previous, obstacle: "first of its type" };
  if (!bodies) return { message, previous, obstacle: "own body gone" };
  if (!previousBodies) return { message, previous, obstacle: "previous body gone" };
  const comparison = await compareDocuments(requestDocument(previousBodies), requestDocument({ bodies, notes }));
  return { message, previous, same: Buffer.compare(previousBodies.bodies.request, bodies.request) === 0, comparison };
}

function requestDocument({ bodies, notes }: { bodies: StoredBodies["bodies"]; notes: MessageDetail["notes"] }): string {
  const { document, raw } = bodyText(bodies.request, notes?.headers["content-type"] ?? "");
  return document || raw;
}

/** Returns a comparison as JSON. `differences` is null if the messages cannot be compared; `reason` explains why. */
function comparisonJson(messageComparison: MessageComparison) {
  const { message, previous } = messageComparison;
  const ids = { message: message.id, earlier: previous?.id ?? null };
  if (messageComparison.obstacle !== undefined)
    return { ...ids, differences: null, reason: obstacleText(messageComparison.obstacle, messageComparison) };
  const { complete, approximate, blocks } = messageComparison.comparison;
  return {
    ...ids,
    same: messageComparison.same,
    whole: complete,
    rough: approximate,
    differences: blocks.filter(({ of }) => of !== "both"),
  };
}
