import { type Html, html } from "../html.ts";

/** A time on the clock of the server, `YYYY-MM-DD HH:MM:SS`; its zone and the UTC time are shown on hover. */
export function moment(at: number): Html {
  const local = Temporal.Instant.fromEpochMilliseconds(Math.floor(at)).toZonedDateTimeISO(zone);
  const utc = local.toInstant().toString();
  return html`<time datetime="${utc}" title="${zone}, ${utc}">${localMoment(at)}</time>`;
}

/** The same as text. */
export function localMoment(at: number): string {
  const local = Temporal.Instant.fromEpochMilliseconds(Math.floor(at)).toZonedDateTimeISO(zone);
  return local.toPlainDateTime().toString({ smallestUnit: "second" }).replace("T", " ");
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
