import { type Html, html } from "../html.ts";

/** A time on the clock of the server, `YYYY-MM-DD HH:MM:SS`; its zone and the UTC time are shown on hover. */
export function moment(at: number): Html {
  const instant = instantOf(at);
  const utc = instant.toString();
  return html`<time datetime="${utc}" title="${serverZone}, ${utc}">${onClock(instant)}</time>`;
}

/** The same, with the time on the property's clock when that differs; `timeZone` undefined: no property is known. */
export function momentAtProperty(at: number, timeZone: string | undefined): Html {
  const here = localMoment(at);
  const there = timeZone === undefined ? here : onClock(instantOf(at), timeZone);
  if (there === here) return moment(at);
  const [day = "", time = ""] = there.split(" ");
  return html`${moment(at)} (${here.startsWith(day) ? time : there} at the property)`;
}

/** The time on the clock of the server as text. */
export function localMoment(at: number): string {
  return onClock(instantOf(at));
}

function instantOf(at: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(at));
}

function onClock(instant: Temporal.Instant, timeZone = serverZone): string {
  return instant.toString({ timeZone, smallestUnit: "second" }).slice(0, TO_THE_SECOND).replace("T", " ");
}

/** The zone of that clock. */
export const serverZone = Temporal.Now.timeZoneId();
const TO_THE_SECOND = "YYYY-MM-DDTHH:MM:SS".length;
