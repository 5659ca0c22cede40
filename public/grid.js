/** Keys of a grid, and a drawer for its nights. Without it, a night opens as a panel on its page. */

const NIGHTS = ".grid td > a, .calendar td > a, .grid-days dd > a";

addGridKeys();
if (document.querySelector(NIGHTS)) addDrawer();
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
  const section = await loadPanel(link.href);
  if (latest !== link) return;
  drawer.removeAttribute("aria-busy");
  if (!section) return location.assign(link.href);
  history.replaceState(history.state, "", link.href);
  showNight(drawer, section);
}

/** Uses XMLHttpRequest, whose response is parsed as a document, because the content security policy forbids parsing HTML from a string. */
function loadPanel(address) {
  const url = new URL(address);
  url.searchParams.set("part", "night");
  const request = new XMLHttpRequest();
  request.open("GET", url);
  request.responseType = "document";
  request.setRequestHeader("accept", "text/html");
  return new Promise((resolve) => {
    request.addEventListener("loadend", () => resolve(request.status === 200 ? request.response?.getElementById("night") : undefined));
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
  const rows = [...row.closest("table").rows].filter((one) => one.querySelector("td"));
  return rows[rows.indexOf(row) + (key === "ArrowUp" ? -1 : 1)]?.cells[cell.cellIndex];
}
