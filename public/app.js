/** Enhances pages. Every page works without it. */

const BUSY_MS = 5000;

focusErrors();
for (const select of document.querySelectorAll('[data-guess="time-zone"]')) selectTimeZone(select);
for (const form of document.querySelectorAll('form[method="post"]')) sendOnce(form);
for (const form of document.querySelectorAll("form[data-unsaved]")) warnBeforeLeaving(form);
for (const button of document.querySelectorAll("[data-copy]")) copyOnClick(button);
for (const list of document.querySelectorAll("[data-tail]")) followMessages(list);
for (const button of document.querySelectorAll("[data-live]")) followLog(button);
for (const field of document.querySelectorAll("[data-longest]")) checkCodeWhileTyping(field);
for (const form of document.querySelectorAll("[data-fragment]")) submitFragment(form);
addEventListener("pageshow", resetFilters);

/** Moves the focus to the error summary of a refused form. */
function focusErrors() {
  document.querySelector("[data-focus]")?.focus();
}

/** Selects the browser's time zone, which may have an older name there. */
function selectTimeZone(select) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const nameOf = ({ value }) => new Intl.DateTimeFormat("en", { timeZone: value }).resolvedOptions().timeZone;
  const options = [...select.options];
  const option = options.find(({ value }) => value === timeZone) ?? options.find((one) => nameOf(one) === timeZone);
  if (option) option.selected = true;
}

/** After going back or reloading, browsers restore filters that may not match the list shown. */
function resetFilters({ persisted }) {
  const [{ type }] = performance.getEntriesByType("navigation");
  if (!persisted && type === "navigate") return;
  for (const form of document.querySelectorAll('form[method="get"]:not(.selection)')) form.reset();
}

/** Fills in the field named by `data-fragment` with the fragment of the address, which browsers don't send, and submits the form. */
function submitFragment(form) {
  const secret = location.hash.slice(1);
  if (secret === "") return;
  document.getElementById(form.dataset.fragment).value = secret;
  history.replaceState(undefined, "", location.pathname);
  form.requestSubmit(form.querySelector("button"));
}

/**
 * Asks before typed values are lost. A refused form starts out unsaved. Submitting allows one navigation; if the user cancels it, later ones
 * ask again.
 */
function warnBeforeLeaving(form) {
  const values = () => JSON.stringify([...new FormData(form)].filter(([name]) => name !== "_csrf"));
  const saved = form.dataset.unsaved === "typed" ? undefined : values();
  let sending = false;
  form.addEventListener("submit", (event) => {
    sending = !event.defaultPrevented;
  });
  addEventListener("beforeunload", (event) => {
    if (!sending && values() !== saved) event.preventDefault();
    sending = false;
  });
}

/** Ignores repeated clicks until the response arrives, or for five seconds. */
function sendOnce(form) {
  let busyUntil = 0;
  form.addEventListener("submit", (event) => {
    if (event.timeStamp < busyUntil) return event.preventDefault();
    busyUntil = event.timeStamp + BUSY_MS;
    form.setAttribute("aria-busy", "true");
    setTimeout(() => form.removeAttribute("aria-busy"), BUSY_MS);
  });
  addEventListener("pageshow", () => {
    busyUntil = 0;
    form.removeAttribute("aria-busy");
  });
}

/** Warns of codes that may cause problems for senders, because a code cannot be changed later. */
function checkCodeWhileTyping(field) {
  const hint = document.createElement("p");
  hint.className = "hint";
  hint.setAttribute("role", "status");
  field.before(hint);
  const update = () => (hint.textContent = codeHints(field.value.trim(), Number(field.dataset.longest)).join(" "));
  field.addEventListener("input", update);
  update();
}

function codeHints(code, longest) {
  const letters = code.normalize("NFKD").replaceAll(/\p{M}/gu, "").toUpperCase();
  const usual = (letters.match(/[\w.~:-]+/g) ?? []).join("-");
  return [
    usual === code || usual === "" ? "" : `Most systems use codes like ${usual}.`,
    code.length > longest ? `Some systems can send only ${longest} of these ${code.length} characters.` : "",
  ].filter(Boolean);
}

/** Adds new messages to the list as they arrive. `data-tail` sends them, and `data-entry` starts the address of each in the log. */
function followMessages(list) {
  const most = 20;
  new EventSource(list.dataset.tail).addEventListener("message", ({ data }) => {
    const { id, receivedAt, outcome, summary } = JSON.parse(data);
    const link = document.createElement("a");
    link.href = `${list.dataset.entry}${id}`;
    link.textContent = `#${id}`;
    const item = document.createElement("li");
    item.append(link, ` ${new Date(receivedAt).toLocaleTimeString()} ${outcome}: ${summary}`);
    list.prepend(item);
    list.hidden = false;
    while (list.children.length > most) list.lastElementChild.remove();
  });
}

/** Loads the page again in place when messages arrive, until the button pauses it. `data-live` sends the messages. */
function followLog(button) {
  const status = button.nextElementSibling;
  const labels = { false: button.textContent, true: "Pause" };
  let source;
  let count = 0;
  // The content security policy forbids parsing HTML from a string.
  const refresh = () => {
    const request = new XMLHttpRequest();
    request.open("GET", location.href);
    request.responseType = "document";
    request.setRequestHeader("accept", "text/html");
    request.addEventListener("load", () => {
      for (const part of [".histogram", "main table"]) {
        const [now, next] = [document.querySelector(part), request.response?.querySelector(part)];
        if (now && next) now.replaceWith(next);
      }
      status.textContent = `${count} new`;
    });
    request.send();
  };
  const follow = () => {
    source = new EventSource(button.dataset.live);
    let timer;
    source.addEventListener("message", () => {
      count++;
      clearTimeout(timer);
      timer = setTimeout(refresh, 300);
    });
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    if (source) source = void source.close();
    else follow();
    const isFollowing = source !== undefined;
    button.textContent = labels[isFollowing];
    status.textContent = isFollowing ? "Waiting for messages" : "Paused";
  });
}

/** `data-copy` is the id of the element whose text is copied. */
function copyOnClick(button) {
  const label = button.textContent;
  const show = (text) => {
    button.textContent = text;
    setTimeout(() => (button.textContent = label), 2000);
  };
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source?.value ?? source?.textContent ?? "");
      show("Copied");
    } catch {
      selectText(source);
      show("Press Ctrl+C to copy");
    }
  });
}

/** Selects the text if the clipboard is not available, as on plain HTTP. */
function selectText(source) {
  if (!source) return;
  source.closest("details")?.setAttribute("open", "");
  if (source.select) source.select();
  else getSelection()?.selectAllChildren(source);
}
