/** Keyboard shortcuts and their help dialog. */

const KEYS_OFF = "roomrack-keys-off";
const JUMP_MS = 1500;
const JUMPS = {
  h: ["/", "Overview"],
  p: ["/property", "Properties"],
  c: ["/category", "Categories"],
  i: ["/inventories", "Inventories"],
  r: ["/rates", "Rates"],
  m: ["/dev/logs", "Messages"],
  s: ["/dev/senders", "Connections"],
  d: ["/dev", "Developers"],
  t: ["/tools", "Tools"],
  e: ["/tools/errors", "Error log"],
};

/** Links to the next and previous days or page, to create a record and to edit one. */
const NEXT = 'main a[rel="next"]';
const PREVIOUS = 'main a[rel="prev"]';
const STEPS = {
  n: NEXT,
  p: PREVIOUS,
  "]": NEXT,
  "[": PREVIOUS,
  t: ".grid-nav a:not([rel])",
  c: 'main a.button[href*="/new"]',
  e: 'main a.button[href$="/edit"]',
};

/** Moves between the rows of the first list. */
const ROWS = { j: 1, k: -1 };

addKeys();

/** Single keys can be turned off (WCAG 2.1.4) and are ignored while typing. */
function addKeys() {
  const dialog = makeHelp();
  document.body.append(dialog);
  for (const button of document.querySelectorAll("[data-keys]")) button.addEventListener("click", () => showHelp(dialog));
  let jumping = 0;
  addEventListener("keydown", (event) => {
    if (event.key === "k" && (event.ctrlKey || event.metaKey) && focusSearch()) return event.preventDefault();
    if (keysAreOff()) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return submit(event);
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.timeStamp < jumping && jumpTo(event.key)) event.preventDefault();
    else if (event.key === "?") dialog.showModal();
    else if (event.key === "/" && focusSearch()) event.preventDefault();
    else if (event.key === "Escape" && !document.querySelector(":popover-open"))
      document.querySelector("dialog[open] a[data-close], a[data-deselect], a[data-close]")?.click();
    else if (Object.hasOwn(STEPS, event.key)) document.querySelector(STEPS[event.key])?.click();
    else if (Object.hasOwn(ROWS, event.key)) focusRow(ROWS[event.key]);
    else if (event.key === "x") document.activeElement?.closest("tr")?.querySelector(".pick input")?.click();
    jumping = event.key === "g" ? event.timeStamp + JUMP_MS : 0;
  });
}

/** Submits with the first button, as Enter does in a line of text. */
function submit(event) {
  const form = event.target.closest?.('form[method="post"]');
  if (!form) return;
  event.preventDefault();
  form.requestSubmit(form.querySelector('[type="submit"]'));
}

function focusRow(step) {
  const rows = [...document.querySelectorAll("main table.table tbody tr:has(a)")];
  const here = rows.indexOf(document.activeElement?.closest("tr"));
  const next = here === -1 ? rows[0] : rows[here + step];
  next?.querySelector("a").focus();
}

function isTyping(target) {
  return target instanceof Element && target.closest("input:not(.pick *), select, textarea, dialog, [contenteditable]") !== null;
}

function focusSearch() {
  const field = document.getElementById("find");
  field?.focus();
  field?.select();
  return field !== null;
}

/** On the pages of one property, a key with a tab of the same name opens that tab. */
function jumpTo(key) {
  const jump = Object.hasOwn(JUMPS, key) ? JUMPS[key] : undefined;
  if (jump) location.assign(document.querySelector(`.property-tabs a[data-key="${key}"]`)?.href ?? root() + jump[0]);
  return jump !== undefined;
}

/** The path prefix of the service, taken from the link to the home page. */
function root() {
  return new URL(document.querySelector("a.brand")?.href ?? "/", location.href).pathname.replace(/\/$/, "");
}

/** The menu with the button would cover the dialog. */
function showHelp(dialog) {
  for (const menu of document.querySelectorAll(".top :popover-open")) menu.hidePopover();
  dialog.showModal();
}

function makeHelp() {
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-labelledby", "keys-title");
  dialog.setAttribute("closedby", "any");
  const title = element("h2", "Keyboard shortcuts");
  Object.assign(title, { id: "keys-title", tabIndex: -1, autofocus: true });
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
    ["Ctrl K", "Search"],
    ["?", "Show this help"],
    ["n", "Next days or page"],
    ["p", "Previous days or page"],
    ["[ ]", "Earlier or later nights"],
    ["t", "Today in a grid"],
    ["j", "Next row"],
    ["k", "Previous row"],
    ["x", "Select row"],
    ["c", "New record"],
    ["e", "Edit record"],
    ["Esc", "Close a night's history, or clear the selection"],
    ["Ctrl Enter", "Submit the form"],
    ["← ↑ → ↓", "Move between nights in a grid"],
    ["Shift ← ↑ → ↓", "Select nights in a grid"],
    ["Enter", "Open a night"],
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
  box.addEventListener("change", () => storeKeysOff(!box.checked));
  const label = element("label", "Use keyboard shortcuts in this browser");
  label.htmlFor = box.id;
  line.append(box, label);
  return line;
}

/** Browsers may deny access to storage; shortcuts then stay on. */
function keysAreOff() {
  try {
    return localStorage.getItem(KEYS_OFF) === "1";
  } catch {
    return false;
  }
}

function storeKeysOff(off) {
  try {
    if (off) localStorage.setItem(KEYS_OFF, "1");
    else localStorage.removeItem(KEYS_OFF);
  } catch {
    // Applies to this page only.
  }
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
