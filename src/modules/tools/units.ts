const BYTES = ["B", "KiB", "MiB", "GiB", "TiB"];

/** Bytes in the largest unit that keeps a number before it: `12.3 MiB`. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(BYTES.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${value.toFixed(power === 0 || value >= 100 ? 0 : 1)} ${BYTES[power]}`;
}

/** Seconds in words of at most two units: `3 d 4 h`; below a minute with one digit after the point. */
export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.floor(seconds);
  const parts = [
    [Math.floor(whole / 86_400), "d"],
    [Math.floor((whole % 86_400) / 3600), "h"],
    [Math.floor((whole % 3600) / 60), "min"],
    [whole % 60, "s"],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  const shown = parts.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(" ");
}

/** Milliseconds with one digit after the point. */
export function formatMs(milliseconds: number): string {
  return `${milliseconds.toFixed(1)} ms`;
}

/** A share as per cent. */
export function formatShare(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
