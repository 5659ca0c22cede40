import { type Html, html } from "../html.ts";

/** A time on the clock of the server, `YYYY-MM-DD HH:MM:SS`; its zone and the UTC time are shown on hover. */
export function moment(at: number): Html {
  const instant = instantOf(at);
  const utc = instant.toString();
  return html`<time datetime="${utc}" title="${serverZone}, ${utc}">${onClock(instant)}</time>`;
}

/** The same as text. */
export function localMoment(at: number): string {
  return onClock(instantOf(at));
}

function instantOf(at: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(at));
}

function onClock(instant: Temporal.Instant): string {
  return instant.toString({ timeZone: serverZone, smallestUnit: "second" }).slice(0, TO_THE_SECOND).replace("T", " ");
}

/** The zone of that clock. */
export const serverZone = Temporal.Now.timeZoneId();
const TO_THE_SECOND = "YYYY-MM-DDTHH:MM:SS".length;
