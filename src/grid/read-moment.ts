const LOCAL = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)$/;

/** Reads a time on the clock of the server (`TZ`): `YYYY-MM-DDTHH:MM`, or with a blank and seconds. Milliseconds since 1970. */
export function readMoment(text: string): number | undefined {
  const found = LOCAL.exec(text);
  if (!found) return undefined;
  try {
    return Temporal.PlainDateTime.from(`${found[1]}T${found[2]}`, { overflow: "reject" }).toZonedDateTime(zone).epochMilliseconds;
  } catch {
    return undefined;
  }
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
