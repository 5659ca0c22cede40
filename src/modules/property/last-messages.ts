import type { MessageRow } from "../../db/schema.ts";
import { OUTCOMES } from "../../journal/outcome.ts";
import { each, type Html, html, nothing } from "../../web/html.ts";
import { isolate } from "../../web/parts/isolate.ts";
import { moment } from "../../web/parts/moment.ts";
import { path, withQuery } from "../../web/path.ts";

/** The newest messages that named the property: when each came and from whom, and what became of it. */
export function lastMessages(code: string, messages: readonly MessageRow[]): Html {
  return html`<section aria-labelledby="messages">
    <h2 id="messages">Last messages</h2>
    ${
      messages.length === 0
        ? html`<p class="muted">The message log has none.</p>`
        : html`<ol class="history">
              ${each(messages, messageItem)}
            </ol>
            <p><a href="${withQuery(path`/dev/logs`, { property: code })}">All messages</a></p>`
    }
  </section>`;
}

function messageItem({ id, received_at: at, outcome, dry_run: dry, sender, summary }: MessageRow): Html {
  return html`<li>
    <p>
      <a href="${path`/dev/logs/${id}`}">${moment(at)}</a> <span class="badge ${OUTCOMES[outcome]}">${outcome}</span>${
        dry === 1 ? html` <span class="badge">dry run</span>` : nothing
      }${sender === null ? nothing : html` from <bdi>${sender}</bdi>`}
    </p>
    <div class="clamp">${isolate(summary)}</div>
  </li>`;
}
