/** Tells the service about errors in its pages: uncaught exceptions, rejected promises, files that did not load. */

const LIMIT_BYTES = 16_000;
const MOST_PER_PAGE = 10;
const SAME_WITHIN_MS = 60_000;
const EXTENSION = /\b(?:chrome|moz|safari|safari-web|ms-browser)-extension:/;

/** A module does not know its own element, so it is found by what it carries. */
const { intake } = document.querySelector("script[data-intake]").dataset;
const sentAt = new Map();
let sent = 0;

addEventListener("error", (event) => (event instanceof ErrorEvent ? reportError(event) : reportResource(event.target)), { capture: true });
addEventListener("unhandledrejection", ({ reason }) => send({ kind: "unhandledrejection", ...describe(reason) }));

function reportError({ message, filename, lineno, colno, error }) {
  const known = describe(error ?? message);
  send({ kind: "error", ...known, message: known.message || message, file: filename || known.file, line: lineno, column: colno });
}

/** A script, style sheet or picture that could not be loaded. */
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

/** Whatever was thrown may have no text, or a toString that throws. */
function textOf(thrown) {
  try {
    const text = typeof thrown === "object" && thrown !== null ? JSON.stringify(thrown) : String(thrown);
    if (text.trim() !== "") return text;
  } catch {
    // As good as no text.
  }
  return "A value without a text was thrown";
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

/** Sending is tried once: a report that is lost must not make another. */
function post(body) {
  fetch(intake, { method: "POST", body, headers: { "content-type": "text/plain" }, keepalive: true }).catch(() => {});
}

/** Extensions and scripts of other origins, of which the browser tells nothing, are not ours to mend. */
function isForeign({ message, file, line, stack }) {
  if (/^script error\.?$/i.test(message) && !line) return true;
  const innermost = stack.split("\n").find((frame) => frame.includes("://")) ?? "";
  return EXTENSION.test(file) || EXTENSION.test(innermost);
}

function isNew({ message, file, line }) {
  const key = JSON.stringify([message, file, line]);
  const now = performance.now();
  if (sent >= MOST_PER_PAGE || now - (sentAt.get(key) ?? -Infinity) < SAME_WITHIN_MS) return false;
  sentAt.set(key, now);
  sent++;
  return true;
}

/** The report as text of at most 16 KB: browsers refuse more than 64 KB that wait. */
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

/** What is asked of a page may be private. */
function withoutQuery(url) {
  return url.split(/[?#]/, 1)[0];
}

/** The same for every address inside a text; the line and column after it stay. */
function withoutQueries(text) {
  return text.replaceAll(/[?#][^\s:)]*(?=[\s:)]|$)/g, "");
}
