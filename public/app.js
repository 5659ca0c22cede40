/** What pages do beyond plain HTML; every page works without it. */

const KEYS_OFF = "roomrack-keys-off";
const JUMP_MS = 1500;
const BUSY_MS = 5000;
const JUMPS = {
  h: ["/", "Home"],
  p: ["/property", "Properties"],
  c: ["/category", "Categories"],
  i: ["/inventories", "Inventories"],
  r: ["/rates", "Rates"],
  d: ["/dev", "Developers"],
  l: ["/dev/logs", "Message log"],
  t: ["/tools", "Tools"],
  e: ["/tools/errors", "Error log"],
};

/** What lies before and after: days of a grid, pages of a list. */
const STEPS = { n: 'main a[rel="next"]', p: 'main a[rel="prev"]' };

focusFault();
for (const form of document.querySelectorAll("form[data-unsaved]")) warnBeforeLoss(form);
for (const form of document.querySelectorAll('form[method="post"]')) sendOnce(form);
for (const button of document.querySelectorAll("[data-copy]")) copyOnClick(button);
addKeys();
addGridKeys();
showChosen();

/** After a refused form the list of what is wrong has the focus. */
function focusFault() {
  document.querySelector("[data-focus]")?.focus();
}

/** The night whose history is shown may lie beyond the edge of its grid. */
function showChosen() {
  const chosen = document.querySelector(".grid [aria-current]");
  const frame = chosen?.closest(".grid-scroll");
  if (frame) frame.scrollLeft += chosen.getBoundingClientRect().right - frame.getBoundingClientRect().right + chosen.offsetWidth;
}

/** Arrows go from night to night where one of them has the focus; tab goes to the last of them that had it, then on. */
function addGridKeys() {
  for (const table of document.querySelectorAll(".grid, .calendar")) {
    stopOnce(table.querySelectorAll("td > a"));
    table.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const to = nightAt(event.target.closest("td"), event.key)?.querySelector("a");
      if (!to) return;
      event.preventDefault();
      to.focus();
    });
  }
}

/** Makes one stop of many links for who goes on by tab: hundreds of nights would lie between them and what is below. */
function stopOnce(links) {
  let stop = [...links].find((link) => link.ariaCurrent) ?? links[0];
  for (const link of links) {
    link.tabIndex = link === stop ? 0 : -1;
    link.addEventListener("focus", () => {
      stop.tabIndex = -1;
      link.tabIndex = 0;
      stop = link;
    });
  }
}

function nightAt(cell, key) {
  const row = cell?.parentElement;
  if (!row) return undefined;
  if (key === "ArrowLeft") return cell.previousElementSibling;
  if (key === "ArrowRight") return cell.nextElementSibling;
  if (key === "Home") return row.querySelector("td:has(a)");
  if (key === "End") return [...row.querySelectorAll("td:has(a)")].at(-1);
  if (key !== "ArrowUp" && key !== "ArrowDown") return undefined;
  const rows = [...row.closest("table").rows].filter((one) => one.querySelector("td"));
  return rows[rows.indexOf(row) + (key === "ArrowUp" ? -1 : 1)]?.cells[cell.cellIndex];
}

/** Asks before typed values are lost, only while there are some. A refused form comes back unsaved. */
function warnBeforeLoss(form) {
  const written = () => JSON.stringify([...new FormData(form)].filter(([name]) => name !== "_csrf"));
  const saved = form.dataset.unsaved === "typed" ? undefined : written();
  let sending = false;
  form.addEventListener("submit", () => {
    sending = true;
  });
  addEventListener("pageshow", () => {
    sending = false;
  });
  addEventListener("beforeunload", (event) => {
    if (!sending && written() !== saved) event.preventDefault();
  });
}

/** Who presses again while the answer is on its way means the same form, not another; whoever stopped waiting may send it anew. */
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

/** `data-copy` is the id of the element whose text is copied. */
function copyOnClick(button) {
  const label = button.textContent;
  const say = (text) => {
    button.textContent = text;
    setTimeout(() => (button.textContent = label), 2000);
  };
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source?.value ?? source?.textContent ?? "");
      say("Copied");
    } catch {
      selectText(source);
      say("Press Ctrl+C to copy");
    }
  });
}

/** Without access to the clipboard (plain HTTP on another host) the text is at least selected. */
function selectText(source) {
  if (!source) return;
  source.closest("details")?.setAttribute("open", "");
  if (source.select) source.select();
  else getSelection()?.selectAllChildren(source);
}

/** Single keys, which can be switched off (WCAG 2.1.4) and rest while something is typed. */
function addKeys() {
  const dialog = makeHelp();
  document.body.append(dialog);
  document.querySelector("header.top .theme")?.before(makeHelpButton(dialog));
  let jumping = 0;
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || keysAreOff()) return;
    if (event.timeStamp < jumping && jumpTo(event.key)) event.preventDefault();
    else if (event.key === "?") dialog.showModal();
    else if (event.key === "/" && focusSearch()) event.preventDefault();
    else if (Object.hasOwn(STEPS, event.key)) document.querySelector(STEPS[event.key])?.click();
    jumping = event.key === "g" ? event.timeStamp + JUMP_MS : 0;
  });
}

function isTyping(target) {
  return target instanceof Element && target.closest("input, select, textarea, dialog, [contenteditable]") !== null;
}

function focusSearch() {
  const field = document.querySelector('main input[type="search"], main form[method="get"] input:not([type="hidden"])');
  field?.closest("details")?.setAttribute("open", "");
  field?.focus();
  field?.select?.();
  return field !== null;
}

function jumpTo(key) {
  const jump = Object.hasOwn(JUMPS, key) ? JUMPS[key] : undefined;
  if (jump) location.assign(root() + jump[0]);
  return jump !== undefined;
}

/** The path prefix of the service, as the link home has it. */
function root() {
  return new URL(document.querySelector("a.brand")?.href ?? "/", location.href).pathname.replace(/\/$/, "");
}

function makeHelpButton(dialog) {
  const button = element("button", "Keys");
  button.type = "button";
  button.className = "small keys-button";
  button.addEventListener("click", () => dialog.showModal());
  return button;
}

function makeHelp() {
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-labelledby", "keys-title");
  dialog.setAttribute("closedby", "any");
  const title = element("h2", "Keyboard");
  title.id = "keys-title";
  const close = element("button", "Close");
  close.type = "button";
  close.addEventListener("click", () => dialog.close());
  dialog.append(title, makeKeyList(), makeSwitch(), close);
  return dialog;
}

function makeKeyList() {
  const list = document.createElement("dl");
  list.className = "keys";
  const rows = [
    ["/", "Search"],
    ["?", "This help"],
    ["n", "Next days or page"],
    ["p", "Previous days or page"],
    ["← ↑ → ↓", "Night to night, in a grid"],
    ...Object.entries(JUMPS).map(([key, [, label]]) => [`g ${key}`, label]),
  ];
  for (const [keys, label] of rows) {
    const term = document.createElement("dt");
    term.append(...keys.split(" ").flatMap((key) => [element("kbd", key), " "]));
    list.append(term, element("dd", label));
  }
  return list;
}

function makeSwitch() {
  const line = document.createElement("p");
  line.className = "field tick";
  const box = document.createElement("input");
  box.type = "checkbox";
  box.id = "keys-on";
  box.checked = !keysAreOff();
  box.addEventListener("change", () => keepKeysOff(!box.checked));
  const label = element("label", "Use these keys in this browser");
  label.htmlFor = box.id;
  line.append(box, label);
  return line;
}

/** Storage may be refused by the browser; then the keys stay on. */
function keysAreOff() {
  try {
    return localStorage.getItem(KEYS_OFF) === "1";
  } catch {
    return false;
  }
}

function keepKeysOff(off) {
  try {
    if (off) localStorage.setItem(KEYS_OFF, "1");
    else localStorage.removeItem(KEYS_OFF);
  } catch {
    // The choice holds for this page only.
  }
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
