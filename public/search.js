/** Shows results while typing, as a combobox (WAI-ARIA). Without this script, the forms open the search page. */

const WAIT_MS = 100;
const RECENT_KEY = "roomrack-recent";
const MOST_RECENT = 8;
const NO_RESULTS = "No results";

for (const form of document.querySelectorAll("form[data-search]")) addResults(form);
rememberPage();

/** Adds the list of results to a form, and a text that announces how many there are. */
function addResults(form) {
  const input = form.elements.q;
  const list = makeList(`${input.id}-results`);
  const status = Object.assign(element("p", "", "visually-hidden"), { ariaLive: "polite" });
  form.append(list, status);
  for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-controls": list.id }))
    input.setAttribute(name, value);
  const box = { form, input, list, status, request: new AbortController(), timer: undefined };
  close(box);
  input.addEventListener("input", () => searchSoon(box));
  input.addEventListener("focus", () => {
    if (input.value.trim() === "" && form.dataset.search === "recent") show(box, recentGroups(), "");
  });
  input.addEventListener("keydown", (event) => {
    if (!list.hidden && !event.isComposing && press(box, event.key)) event.preventDefault();
  });
  form.addEventListener("focusout", ({ relatedTarget }) => {
    if (!form.contains(relatedTarget)) close(box);
  });
  // Keeps the focus in the field, so that the list stays open until the link is followed.
  list.addEventListener("mousedown", (event) => event.preventDefault());
}

function show({ input, list, status }, groups, text) {
  list.replaceChildren(...groups.map((group, index) => makeGroup(group, `${list.id}-${index}`)));
  list.hidden = groups.length === 0;
  status.textContent = text;
  status.className = text === NO_RESULTS ? "find-results" : "visually-hidden";
  input.setAttribute("aria-expanded", String(!list.hidden));
  activate({ input, list }, undefined);
}

function close(box) {
  box.request.abort();
  clearTimeout(box.timer);
  show(box, [], "");
}

function searchSoon(box) {
  clearTimeout(box.timer);
  if (box.input.value.trim() === "") return close(box);
  box.timer = setTimeout(() => search(box), WAIT_MS);
}

async function search(box) {
  box.request.abort();
  box.request = new AbortController();
  const { signal } = box.request;
  try {
    const groups = await fetchGroups(box.form, signal);
    const count = groups.reduce((sum, { results }) => sum + results.length, 0);
    show(box, groups, count === 0 ? NO_RESULTS : `${count} ${count === 1 ? "result" : "results"}`);
  } catch (error) {
    if (!signal.aborted) show(box, [], `Search failed: ${error.message}`);
  }
}

/** Returns whether the key was used. */
function press(box, key) {
  const active = optionsOf(box.list).find(isActive);
  if (key === "ArrowDown") move(box, 1);
  else if (key === "ArrowUp") move(box, -1);
  else if (key === "Escape") close(box);
  else if (key === "Enter" && active) active.click();
  else return false;
  return true;
}

function move(box, step) {
  const options = optionsOf(box.list);
  const at = options.findIndex(isActive);
  const next = at === -1 && step < 0 ? options.length - 1 : at + step;
  activate(box, options[(next + options.length) % options.length]);
}

function activate({ input, list }, option) {
  for (const one of optionsOf(list)) one.ariaSelected = String(one === option);
  if (option) input.setAttribute("aria-activedescendant", option.id);
  else input.removeAttribute("aria-activedescendant");
  option?.scrollIntoView({ block: "nearest" });
}

async function fetchGroups(form, signal) {
  const query = new URLSearchParams(new FormData(form));
  query.set("format", "json");
  const response = await fetch(`${form.action}?${query}`, { signal });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return (await response.json()).groups;
}

function makeList(id) {
  const list = element("div", "", "find-results");
  Object.assign(list, { id, role: "listbox", ariaLabel: "Search results", hidden: true });
  return list;
}

function makeGroup({ title, results }, id) {
  const group = element("div", "");
  const heading = Object.assign(element("p", title, "muted"), { id });
  Object.assign(group, { role: "group" });
  group.setAttribute("aria-labelledby", id);
  group.append(heading, ...results.map((result, index) => makeOption(result, `${id}-${index}`)));
  return group;
}

function makeOption({ label, detail, url }, id) {
  const option = Object.assign(element("a", ""), { id, role: "option", href: url, tabIndex: -1, ariaSelected: "false" });
  option.append(element("bdi", label), " ", element("bdi", detail, "muted"));
  return option;
}

function optionsOf(list) {
  return [...list.querySelectorAll('[role="option"]')];
}

function isActive(option) {
  return option.ariaSelected === "true";
}

/** The pages that this browser opened last, without the current one. */
function recentGroups() {
  const results = recentPages().filter(({ url }) => url !== pageUrl());
  return results.length === 0 ? [] : [{ title: "Recent", results }];
}

function rememberPage() {
  if (!document.getElementById("find")) return forgetPages();
  const isPage = !document.title.startsWith("Error: ") && !location.pathname.endsWith("/tools/search");
  if (!isPage) return;
  const page = { label: document.title.replace(/ · Roomrack$/, ""), detail: "", url: pageUrl() };
  const others = recentPages().filter(({ label, url }) => label !== page.label && url !== page.url);
  try {
    localStorage.setItem(RECENT_KEY, JSON.stringify([page, ...others].slice(0, MOST_RECENT)));
  } catch {
    // Browsers may deny access to storage.
  }
}

/** Pages for signed-out visitors have no search. The next user of the browser must not see where the last one was. */
function forgetPages() {
  try {
    localStorage.removeItem(RECENT_KEY);
  } catch {
    // Browsers may deny access to storage.
  }
}

function recentPages() {
  try {
    return JSON.parse(localStorage.getItem(RECENT_KEY) ?? "[]");
  } catch {
    return [];
  }
}

function pageUrl() {
  return location.pathname + location.search;
}

function element(name, text, className = "") {
  return Object.assign(document.createElement(name), { textContent: text, className });
}
