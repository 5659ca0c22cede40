/** Reports errors in pages to the service: uncaught exceptions, rejected promises, files that failed to load. */

const LIMIT_BYTES = 16_000;
const MAX_PER_PAGE = 10;
const REPEAT_AFTER_MS = 60_000;
const EXTENSION = /\b(?:chrome|moz|safari|safari-web|ms-browser)-extension:/;

/** Modules have no `document.currentScript`. */
const { intake } = document.querySelector("script[data-intake]").dataset;
const sentAt = new Map();
let sent = 0;

addEventListener("error", (event) => (event instanceof ErrorEvent ? reportError(event) : reportResource(event.target)), { capture: true });
addEventListener("unhandledrejection", ({ reason }) => send({ kind: "unhandledrejection", ...describe(reason) }));

function reportError({ message, filename, lineno, colno, error }) {
  const known = describe(error ?? message);
  send({ kind: "error", ...known, message: known.message || message, file: filename || known.file, line: lineno, column: colno });
}

function reportResource(element) {
  const file = element?.src || element?.href;
  if (typeof file !== "string") return;
  send({ kind: "resource", class: "ResourceError", message: `${element.localName} could not be loaded: ${withoutQuery(file)}`, file });
}

function describe(thrown) {
  if (!(thrown instanceof Error)) return { class: "Error", message: textOf(thrown), stack: "" };
  const { name, message, stack } = thrown;
  return { class: textOf(name), message: textOf(message || name), stack: String(stack ?? "") };
}

/** Thrown values may have no text, or a `toString` that throws. */
function textOf(thrown) {
  try {
    const text = typeof thrown === "object" && thrown !== null ? JSON.stringify(thrown) : String(thrown);
    if (text.trim() !== "") return text;
  } catch {
    // Treated like no text.
  }
  return "A value without text was thrown";
}

function send(error) {
  const report = {
    v: 1,
    ...error,
    file: withoutQuery(error.file ?? ""),
    stack: withoutQueries(error.stack ?? ""),
    caught: false,
    url: withoutQuery(location.href),
    referrer: withoutQuery(document.referrer),
    time: new Date().toISOString(),
  };
  if (isForeign(report) || !isNew(report)) return;
  const body = fit(report);
  if (!navigator.sendBeacon?.(intake, body)) post(body);
}

/** Tries once, because a failed report must not cause another. */
function post(body) {
  fetch(intake, { method: "POST", body, headers: { "content-type": "text/plain" }, keepalive: true }).catch(() => {});
}

/** Errors in browser extensions and in scripts of other origins, whose details browsers hide. */
function isForeign({ message, file, line, stack }) {
  if (/^script error\.?$/i.test(message) && !line) return true;
  const innermost = stack.split("\n").find((frame) => frame.includes("://")) ?? "";
  return EXTENSION.test(file) || EXTENSION.test(innermost);
}

function isNew({ message, file, line }) {
  const key = JSON.stringify([message, file, line]);
  const now = performance.now();
  if (sent >= MAX_PER_PAGE || now - (sentAt.get(key) ?? -Infinity) < REPEAT_AFTER_MS) return false;
  sentAt.set(key, now);
  sent++;
  return true;
}

/** Shortens a report to 16 KB, because browsers limit pending reports to 64 KB. */
function fit(report) {
  const size = (text) => new Blob([text]).size;
  let body = JSON.stringify(report);
  for (let length = 8_000; size(body) > LIMIT_BYTES && length > 100; length /= 2) {
    body = JSON.stringify(report, (name, value) => cut(value, name === "stack" ? length : length / 4));
  }
  return body;
}

function cut(value, length) {
  return typeof value === "string" ? value.slice(0, length) : value;
}

/** Queries may be private. */
function withoutQuery(url) {
  return url.split(/[?#]/, 1)[0];
}

/** Removes queries from all URLs in a text, but keeps line and column numbers. */
function withoutQueries(text) {
  return text.replaceAll(/[?#][^\s:)]*(?=[\s:)]|$)/g, "");
}
