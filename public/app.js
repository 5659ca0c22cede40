/** What pages do beyond plain HTML; every page works without it. */

const BUSY_MS = 5000;
const LEFT = "roomrack-left-night";

focusFault();
for (const form of document.querySelectorAll('form[method="post"]')) sendOnce(form);
for (const form of document.querySelectorAll("form[data-unsaved]")) warnBeforeLoss(form);
for (const button of document.querySelectorAll("[data-copy]")) copyOnClick(button);
for (const field of document.querySelectorAll("[data-longest]")) hintAtCode(field);
addGridKeys();
showChosen();
returnToNight();
addEventListener("pageshow", resetFilters);

/** After a refused form the list of what is wrong has the focus. */
function focusFault() {
  document.querySelector("[data-focus]")?.focus();
}

/** Who goes back or loads anew finds fields as they were left, which would tell of another list than the one that is shown. */
function resetFilters({ persisted }) {
  const [{ type }] = performance.getEntriesByType("navigation");
  if (!persisted && type === "navigate") return;
  for (const form of document.querySelectorAll('form[method="get"]:not(.selection)')) form.reset();
}

/** The night whose history is shown may lie beyond the edge of its grid. */
function showChosen() {
  const chosen = document.querySelector(".grid [aria-current]");
  const frame = chosen?.closest(".grid-scroll");
  if (frame) frame.scrollLeft += chosen.getBoundingClientRect().right - frame.getBoundingClientRect().right + chosen.offsetWidth;
}

/** Who closes the history of a night goes on where it was opened. */
function returnToNight() {
  const chosen = document.querySelector("td > a[aria-current], dd > a[aria-current]");
  const keepNight = () => ifAllowed(() => sessionStorage.setItem(LEFT, chosen?.getAttribute("href") ?? ""));
  document.querySelector("a[data-close]")?.addEventListener("click", keepNight);
  const left = ifAllowed(() => sessionStorage.getItem(LEFT));
  if (!left || chosen) return;
  ifAllowed(() => sessionStorage.removeItem(LEFT));
  [...document.querySelectorAll("td > a, dd > a")].find((link) => link.getAttribute("href") === left)?.focus();
}

/** Storage may be refused by the browser; then nothing is kept. */
function ifAllowed(use) {
  try {
    return use();
  } catch {
    return undefined;
  }
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

/**
 * Asks before typed values are lost, only while there are some. A refused form comes back unsaved. To be sent is to leave once: who stops
 * waiting for the answer is still here, and asked from then on.
 */
function warnBeforeLoss(form) {
  const written = () => JSON.stringify([...new FormData(form)].filter(([name]) => name !== "_csrf"));
  const saved = form.dataset.unsaved === "typed" ? undefined : written();
  let sending = false;
  form.addEventListener("submit", (event) => {
    sending = !event.defaultPrevented;
  });
  addEventListener("beforeunload", (event) => {
    if (!sending && written() !== saved) event.preventDefault();
    sending = false;
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

/** Tells while a code is typed what senders may stumble over: later it cannot be changed. */
function hintAtCode(field) {
  const hint = document.createElement("p");
  hint.className = "hint";
  hint.setAttribute("role", "status");
  field.before(hint);
  const say = () => (hint.textContent = hintsAt(field.value.trim(), Number(field.dataset.longest)).join(" "));
  field.addEventListener("input", say);
  say();
}

function hintsAt(code, longest) {
  const letters = code.normalize("NFKD").replaceAll(/\p{M}/gu, "").toUpperCase();
  const usual = (letters.match(/[\w.~:-]+/g) ?? []).join("-");
  return [
    usual === code || usual === "" ? "" : `Most systems write a code like ${usual}.`,
    code.length > longest ? `Of ${code.length} characters, some can send only ${longest}.` : "",
  ].filter(Boolean);
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
