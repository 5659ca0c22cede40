import type { MessageRow } from "../../../db/schema.ts";
import { each, type Html, html, nothing } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { amount, counted } from "../../../web/parts/amount.ts";
import { isolate } from "../../../web/parts/isolate.ts";
import { moment } from "../../../web/parts/moment.ts";
import { path } from "../../../web/path.ts";
import { type Comparison, MOST_LINES } from "./comparison.ts";
import { type DifferenceLine, differenceLines } from "./difference-lines.ts";

/** What keeps a message from being compared with the one before it. */
export type Obstacle = "unknown kind" | "first of its kind" | "own body gone" | "earlier body gone";

/** A message beside the one before it; `same`: byte for byte. */
export type Compared = { message: MessageRow; earlier: MessageRow | undefined } & (
  | { obstacle: Obstacle }
  | { obstacle?: never; same: boolean; comparison: Comparison }
);

/** More lines than anyone reads. */
const MOST_SHOWN = 2_000;

/** How the request of a message differs from that of the message before it of the same kind. */
export function comparisonPage(compared: Compared): Page {
  const { message, earlier } = compared;
  return {
    title: `Message #${message.id} compared`,
    section: "dev",
    wide: true,
    lead: "How its request differs from the one before of the same kind, for the same property and from the same sender.",
    actions: html`<a class="button" href="${path`/dev/logs/${message.id}`}">Message #${message.id}</a>`,
    main: html`${earlier === undefined ? nothing : pair(message, earlier)}
    ${compared.obstacle === undefined ? difference(compared) : html`<p class="empty">${obstacleWords(compared.obstacle, compared)}</p>`}`,
  };
}

function pair(message: MessageRow, earlier: MessageRow): Html {
  return html`<dl class="facts">
    <dt>Before</dt>
    <dd>${linkTo(earlier)}</dd>
    <dt>After</dt>
    <dd>${linkTo(message)}</dd>
  </dl>`;
}

function linkTo({ id, received_at, summary }: MessageRow): Html {
  return html`<a href="${path`/dev/logs/${id}`}">#${id}</a>, received ${moment(received_at)}: ${isolate(summary)}`;
}

/** Why there is nothing to compare, in words. */
export function obstacleWords(obstacle: Obstacle, { message, earlier }: Pick<Compared, "message" | "earlier">): string {
  if (obstacle === "unknown kind")
    return `What kind of message #${message.id} is was not recognised, so there is none before it to compare with.`;
  if (obstacle === "first of its kind") {
    const whose = message.property === null ? "in which no property was read either" : `for ${message.property}`;
    return `There is no ${message.root} before #${message.id} from the same sender ${whose}.`;
  }
  const gone = obstacle === "own body gone" ? message : earlier;
  return `The request of #${gone?.id} is no longer kept: the log keeps bodies for a limited time, or until somebody removes them.`;
}

function difference({ message, earlier, same, comparison }: Extract<Compared, { obstacle?: never }>): Html {
  const { stretches, whole, rough } = comparison;
  const count = (of: string) => stretches.filter((one) => one.of === of).reduce((sum, { lines }) => sum + lines.length, 0);
  const [removed, added] = [count("earlier"), count("later")];
  return html`<section>
    <h2>Difference</h2>
    <p>
      ${
        removed + added === 0
          ? alikeWords(same)
          : html`${counted(removed, "line")} only in #${earlier!.id}, marked <b>-</b>; ${counted(added, "line")} only in #${message.id},
              marked <b>+</b>.`
      }
      ${whole ? nothing : `Only the first ${amount(MOST_LINES)} lines of each were compared.`}
      ${rough ? "So much differs that some lines may stand as removed in one place and as added in another." : nothing}
    </p>
    ${removed + added === 0 ? nothing : shown(differenceLines(stretches))}
  </section>`;
}

function alikeWords(same: boolean): string {
  return same
    ? "Both requests are equal, byte for byte."
    : "Both documents have the same lines; only blanks or what stands around the document differ.";
}

function shown(lines: readonly DifferenceLine[]): Html {
  return html`<pre tabindex="0" aria-label="Difference"><code class="difference">${each(lines.slice(0, MOST_SHOWN), lineOf)}</code></pre>
    ${lines.length > MOST_SHOWN ? html`<p class="hint">The first ${amount(MOST_SHOWN)} lines of the difference.</p>` : nothing}`;
}

function lineOf({ of, text }: DifferenceLine): Html {
  if (of === "earlier") return html`<del>- ${text}</del>${"\n"}`;
  if (of === "later") return html`<ins>+ ${text}</ins>${"\n"}`;
  return of === "both" ? html`${`  ${text}\n`}` : html`<span class="muted">${`  ${text}\n`}</span>`;
}
