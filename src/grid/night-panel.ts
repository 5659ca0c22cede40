import type { Column, ColumnValue, Group } from "../calendar/operation.ts";
import { each, type Html, html, nothing, type Path } from "../web/html.ts";
import { moment } from "../web/parts/moment.ts";
import { scrollTable } from "../web/parts/table.ts";
import { path } from "../web/path.ts";
import { columnWords, valueWords } from "./column-words.ts";
import { type Day, dayInWords } from "./day.ts";

/** A message that set or changed a night; `at` and `sender` are undefined when its log entry is gone. */
export type Setter = { message: number; at: number | undefined; sender: string | undefined };

export type NightEvent = Setter & { changes: readonly { column: Column; from: ColumnValue | undefined; to: ColumnValue | undefined }[] };

/** One night of one lane: what holds, who set it, and every change that is still known, newest first. */
export type NightDetail = {
  day: Day;
  /** What the night belongs to, such as `DBL Double room, rate plan BAR`. */
  what: string;
  currency: string;
  values: readonly { column: Column; value: ColumnValue }[];
  setters: readonly (Setter & { group: Group })[];
  events: readonly NightEvent[];
  /** The view without this panel, and of every category. */
  close: Path;
  all: Path;
};

const GROUPS: Readonly<Record<Group, string>> = {
  counts: "counts",
  closed: "hotel closed",
  amounts: "amounts",
  restrictions: "restrictions",
  allotment: "allotment",
};

/** A night's history: what holds now, which message set it, and what each message before changed. */
export function nightPanel(detail: NightDetail): Html {
  const { day, what, values, currency, setters } = detail;
  return html`<section class="panel night-panel" id="night" aria-labelledby="night-title" tabindex="-1" data-focus>
    <h2 id="night-title">${dayInWords(day)}: ${what}</h2>
    ${values.length === 0 ? html`<p>Nothing was received for this night.</p>` : nothing}
    <dl class="facts">
      ${each(
        values,
        ({ column, value }) =>
          html`<dt>${columnWords(column)}</dt>
            <dd>${valueWords(column, value, currency)}</dd>`,
      )}
      ${each(
        setters,
        (setter) =>
          html`<dt>${GROUPS[setter.group]} set by</dt>
            <dd>${setterLine(setter)}</dd>`,
      )}
    </dl>
    ${history(detail)}
    <ul class="links">
      <li><a href="${detail.close}">Close the history</a></li>
      <li><a href="${detail.all}">All categories</a></li>
    </ul>
  </section>`;
}

function history({ events, currency, day }: NightDetail): Html {
  if (events.length === 0) return html`<p>No message of the log has changed this night.</p>`;
  return scrollTable(
    {
      label: `History of ${day.iso}`,
      narrow: "stacked",
      caption: "Messages that changed this night, newest first",
      heads: ["Message", "What changed", "Time", "Sender"],
    },
    each(events, (event) => eventRow(event, currency)),
  );
}

function eventRow({ message, at, sender, changes }: NightEvent, currency: string): Html {
  return html`<tr>
    <td><a href="${path`/dev/logs/${message}`}">#${message}</a></td>
    <td class="words">
      <ul class="changes">
        ${each(changes, (change) => html`<li>${columnWords(change.column)}: from ${valueWords(change.column, change.from, currency)} to <b>${valueWords(change.column, change.to, currency)}</b></li>`)}
      </ul>
    </td>
    <td class="nowrap">${at === undefined ? html`–` : moment(at)}</td>
    <td>${sender ?? "–"}</td>
  </tr>`;
}

function setterLine({ message, at, sender }: Setter): Html {
  return html`<a href="${path`/dev/logs/${message}`}">message #${message}</a>${at === undefined ? nothing : html`, ${moment(at)}`}${
      sender === undefined ? nothing : html`, ${sender}`
    }`;
}
