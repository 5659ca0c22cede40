/** Keys of a grid, a drawer for its nights, and selections. Without it, a night opens as a panel on its page. */

const NIGHTS = ".grid td > a, .calendar td > a, .grid-days dd > a";

addGridKeys();
if (document.querySelector(NIGHTS)) addDrawer();
for (const table of document.querySelectorAll(".grid:not(.portfolio)")) addSelection(table);
scrollToNight();

/** Opens nights in a drawer beside the grid. The address always names the open night, so that it can be shared. */
function addDrawer() {
  const drawer = document.createElement("dialog");
  drawer.className = "drawer";
  drawer.setAttribute("aria-labelledby", "night-title");
  document.body.append(drawer);
  const shown = document.getElementById("night");
  if (shown) showNight(drawer, shown);
  addEventListener("click", (event) => onClick(event, drawer));
  drawer.addEventListener("keydown", (event) => onKey(event, drawer));
}

function onClick(event, drawer) {
  const link = event.target.closest?.("a");
  if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const night = link.matches(NIGHTS) ? link : neighbour(link.dataset.step);
  if (night) void openNight(drawer, night);
  else if (drawer.open && link.matches("[data-close]")) closeNight(drawer, link);
  else return;
  event.preventDefault();
}

function onKey(event, drawer) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const night = neighbour(event.key);
  if (night) void openNight(drawer, night);
  else if (event.key === "Escape") closeNight(drawer, drawer.querySelector("[data-close]"));
  else return;
  event.preventDefault();
}

function selectedNight() {
  return [...document.querySelectorAll(NIGHTS)].find((link) => link.ariaCurrent);
}

/** The night that an arrow key moves to from the selected one. */
function neighbour(key) {
  return key?.startsWith("Arrow") ? nightAt(selectedNight()?.closest("td"), key)?.querySelector("a") : undefined;
}

let latest;

/** Loads the panel of a night. Follows the link instead if that fails. Only the last of several quick steps is shown. */
async function openNight(drawer, link) {
  latest = link;
  select(link);
  drawer.setAttribute("aria-busy", "true");
  const section = await loadPanel(link.href, "night");
  if (latest !== link) return;
  drawer.removeAttribute("aria-busy");
  if (!section) return location.assign(link.href);
  history.replaceState(history.state, "", link.href);
  showNight(drawer, section);
}

/** Uses XMLHttpRequest, whose response is parsed as a document, because the content security policy forbids parsing HTML from a string. */
function loadPanel(address, part) {
  const url = new URL(address);
  url.searchParams.set("part", part);
  const request = new XMLHttpRequest();
  request.open("GET", url);
  request.responseType = "document";
  request.setRequestHeader("accept", "text/html");
  return new Promise((resolve) => {
    request.addEventListener("loadend", () => resolve(request.status === 200 ? request.response?.getElementById(part) : undefined));
    request.send();
  });
}

function showNight(drawer, section) {
  drawer.replaceChildren(section);
  if (!drawer.open) drawer.show();
  drawer.scrollTop = 0;
  section.focus();
  scrollToNight();
}

function select(link) {
  selectedNight()?.removeAttribute("aria-current");
  link.ariaCurrent = "true";
}

/** Returns the focus to the night. */
function closeNight(drawer, { href }) {
  const night = selectedNight();
  latest = undefined;
  drawer.close();
  history.replaceState(history.state, "", href);
  night?.removeAttribute("aria-current");
  night?.focus();
}

/** Scrolls the grid to the night whose history is shown. */
function scrollToNight() {
  const chosen = document.querySelector(".grid [aria-current]");
  const frame = chosen?.closest(".grid-scroll");
  if (frame) frame.scrollLeft += chosen.getBoundingClientRect().right - frame.getBoundingClientRect().right + chosen.offsetWidth;
}

/** Arrow keys move between the nights of a grid, which has a single tab stop: the night that had the focus last. */
function addGridKeys() {
  for (const table of document.querySelectorAll(".grid, .calendar")) {
    useSingleTabStop(table.querySelectorAll("td > a"));
    table.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const to = nightAt(event.target.closest("td"), event.key)?.querySelector("a");
      if (!to) return;
      event.preventDefault();
      to.focus();
    });
  }
}

function useSingleTabStop(links) {
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
  const rows = nightRows(row.closest("table"));
  return rows[rows.indexOf(row) + (key === "ArrowUp" ? -1 : 1)]?.cells[cell.cellIndex];
}

function nightRows(table) {
  return [...table.rows].filter((row) => row.querySelector("td > a") && row.checkVisibility());
}

/** Selects nights by dragging, by Shift and a click, or by Shift and the arrow keys. A panel from the server sums them up. */
function addSelection(table) {
  const bar = document.createElement("div");
  bar.className = "chosen-bar";
  bar.ariaLive = "polite";
  table.closest(".grid-scroll").after(bar);
  const shown = document.getElementById("selection");
  if (shown) bar.append(shown);
  const selection = { table, bar, anchor: undefined, end: undefined, latest: 0 };
  markSelected(table, new URLSearchParams(location.search).get("select") ?? "");
  table.addEventListener("keydown", (event) => onShiftKey(event, selection));
  addDragging(selection);
  bar.addEventListener("click", (event) => {
    if (!event.target.closest("a[data-deselect]")) return;
    event.preventDefault();
    deselect(selection);
  });
}

function onShiftKey(event, selection) {
  if (!event.shiftKey || !event.key.startsWith("Arrow")) return;
  const from = event.target.closest("td");
  const to = nightAt(from, event.key);
  if (!to?.querySelector("a")) return;
  event.preventDefault();
  if (selection.end !== from) selection.anchor = from;
  to.querySelector("a").focus();
  extend(selection, to);
  void showSelection(selection);
}

/** Only for a mouse: a finger scrolls the grid. */
function addDragging(selection) {
  const { table } = selection;
  const cellOf = ({ target }) => target.closest?.("td:has(> a)");
  let start;
  let isDragging = false;
  table.addEventListener("dragstart", (event) => event.preventDefault());
  table.addEventListener("pointerdown", (event) => {
    isDragging = false;
    start = event.pointerType === "mouse" && event.button === 0 && !event.shiftKey ? cellOf(event) : undefined;
  });
  table.addEventListener("pointerover", (event) => {
    const cell = cellOf(event);
    if (!start || !cell || event.buttons !== 1 || (cell === start && !isDragging)) return;
    isDragging = true;
    selection.anchor = start;
    extend(selection, cell);
  });
  table.addEventListener("click", (event) => {
    const cell = cellOf(event);
    const isExtending = event.shiftKey && cell && selection.anchor;
    if (isDragging || isExtending) event.preventDefault();
    if (isExtending) extend(selection, cell);
    if (isExtending) void showSelection(selection);
    else if (!isDragging) selection.anchor = cell;
  });
  addEventListener("pointerup", () => {
    if (isDragging) void showSelection(selection);
    start = undefined;
  });
}

/** Selects the rectangle from the anchor to `cell`. */
function extend(selection, cell) {
  selection.end = cell;
  selection.text = selectionText(selection);
  markSelected(selection.table, selection.text);
}

/** The query's `select`: first and last night, then each row. */
function selectionText({ table, anchor, end }) {
  const rows = nightRows(table);
  const [top, bottom] = [anchor, end].map((cell) => rows.indexOf(cell.parentElement)).toSorted((a, b) => a - b);
  const dates = [anchor, end].map((cell) => nightOf(cell.querySelector("a")).date).toSorted();
  const keys = rows.slice(top, bottom + 1).map((row) => nightOf(row.querySelector("td > a")).row);
  return [dates.join("/"), ...keys].join(",");
}

function markSelected(table, text) {
  const [dates, ...rows] = text.split(",");
  const [first, last] = dates.split("/");
  for (const row of nightRows(table)) {
    const isSelected = text !== "" && rows.includes(nightOf(row.querySelector("td > a")).row);
    for (const cell of row.querySelectorAll("td:has(> a)")) {
      const { date } = isSelected ? nightOf(cell.querySelector("a")) : {};
      cell.classList.toggle("selected", isSelected && date >= first && date <= last);
    }
  }
}

/** The row and the date of a night, from its link. */
function nightOf({ href }) {
  const query = new URL(href).searchParams;
  const [, category, code, date] = query.get("at")?.split("/") ?? [];
  const codes = date ? [category, code] : ["nightCategory", "nightPlan", "nightRoom"].map((name) => query.get(name) ?? "");
  return { row: codes.map(encodeURIComponent).join("/"), date: date ?? query.get("night") };
}

/** Only the last of several quick steps is shown. */
async function showSelection(selection) {
  const step = ++selection.latest;
  const url = new URL(location.href);
  for (const name of ["at", "night", "nightCategory", "nightPlan", "nightRoom"]) url.searchParams.delete(name);
  url.searchParams.set("select", selection.text);
  const panel = await loadPanel(url, "selection");
  if (step !== selection.latest) return;
  if (!panel) return location.assign(url);
  history.replaceState(history.state, "", url);
  selection.bar.replaceChildren(panel);
}

function deselect(selection) {
  const url = new URL(location.href);
  url.searchParams.delete("select");
  history.replaceState(history.state, "", url);
  selection.bar.replaceChildren();
  selection.latest++;
  markSelected(selection.table, "");
  selection.anchor?.querySelector("a").focus();
}
