const LOCAL = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)$/;

/** Reads a date and time on the clock of the server (`TZ`), as `YYYY-MM-DDTHH:MM` or with a blank and seconds; milliseconds since 1970. */
export function parseMoment(text: string): number | undefined {
  const found = LOCAL.exec(text);
  if (!found) return undefined;
  try {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return Temporal.PlainDateTime.from(`${found[1]}T${found[2]}`, { overflow: "reject" }).toZonedDateTime(zone).epochMilliseconds;
  } catch {
    return undefined;
  }
}

/** `YYYY-MM-DD HH:MM:SS` on the clock of the server (`TZ`). */
export function formatMoment(at: number): string {
  const date = new Date(at);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
