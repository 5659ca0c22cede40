import { type Html, html } from "../html.ts";

/** A time on the clock of the server, `YYYY-MM-DD HH:MM:SS`; its zone and the UTC time are shown on hover. Undefined is never. */
export function moment(at: number | undefined): Html {
  if (at === undefined) return never;
  const utc = utcMoment(at);
  return html`<time datetime="${utc}" title="${serverZone}, ${utc}">${localMoment(at)}</time>`;
}

/** The same, with the time on the property's clock when that differs; `timeZone` undefined: no property is known. */
export function momentAtProperty(at: number | undefined, timeZone: string | undefined): Html {
  if (at === undefined) return never;
  const here = localMoment(at);
  const there = timeZone === undefined ? here : onClock(at, timeZone);
  if (there === here) return moment(at);
  const [day = "", time = ""] = there.split(" ");
  return html`${moment(at)} (${here.startsWith(day) ? time : there} at the property)`;
}

const never = html`<span class="muted">never</span>`;

/** The time on the clock of the server as text. By `Date`, as a list has one in each row and Temporal takes four times as long. */
export function localMoment(at: number): string {
  const date = new Date(at);
  const day = `${date.getFullYear()}-${digits(date.getMonth() + 1)}-${digits(date.getDate())}`;
  return `${day} ${digits(date.getHours())}:${digits(date.getMinutes())}:${digits(date.getSeconds())}`;
}

/** As `toISOString` has it, which takes five times as long, but without milliseconds that are 0. */
function utcMoment(at: number): string {
  const date = new Date(at);
  const day = `${date.getUTCFullYear()}-${digits(date.getUTCMonth() + 1)}-${digits(date.getUTCDate())}`;
  const time = `${digits(date.getUTCHours())}:${digits(date.getUTCMinutes())}:${digits(date.getUTCSeconds())}`;
  const ms = date.getUTCMilliseconds();
  return `${day}T${time}${ms === 0 ? "" : `.${String(ms).padStart(3, "0")}`}Z`;
}

function digits(part: number): string {
  return part < 10 ? `0${part}` : String(part);
}

function onClock(at: number, timeZone: string): string {
  const instant = Temporal.Instant.fromEpochMilliseconds(Math.floor(at));
  return instant.toString({ timeZone, smallestUnit: "second" }).slice(0, TO_THE_SECOND).replace("T", " ");
}

/** The zone of that clock. */
export const serverZone = Temporal.Now.timeZoneId();
const TO_THE_SECOND = "YYYY-MM-DDTHH:MM:SS".length;
