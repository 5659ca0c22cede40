/** Shows results while typing, as a combobox (WAI-ARIA). Without this script, the forms open the search page. */

const WAIT_MS = 100;
const RECENT_KEY = "roomrack-recent";
const MOST_RECENT = 8;
const NO_RESULTS = "No results";

for (const form of document.querySelectorAll("form[data-search]")) suggest(form);
rememberPage();

function suggest(form) {
  const input = form.elements.q;
  const list = makeList(`${input.id}-results`);
  const status = Object.assign(element("p", "", "visually-hidden"), { ariaLive: "polite" });
  form.append(list, status);
  for (const [name, value] of Object.entries({
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-controls": list.id,
    "aria-expanded": "false",
  }))
    input.setAttribute(name, value);
  let request = new AbortController();
  let timer;

  const open = (groups, text) => {
    list.replaceChildren(...groups.map((group, index) => makeGroup(group, `${list.id}-${index}`)));
    list.hidden = groups.length === 0;
    status.textContent = text;
    status.className = text === NO_RESULTS ? "find-results" : "visually-hidden";
    activate(undefined);
    input.setAttribute("aria-expanded", String(!list.hidden));
  };
  const close = () => {
    request.abort();
    clearTimeout(timer);
    open([], "");
  };
  const activate = (option) => {
    for (const one of optionsOf(list)) one.setAttribute("aria-selected", String(one === option));
    if (option) input.setAttribute("aria-activedescendant", option.id);
    else input.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  };
  const move = (step) => {
    const options = optionsOf(list);
    const at = options.findIndex(isActive);
    const next = at === -1 && step < 0 ? options.length - 1 : at + step;
    activate(options[(next + options.length) % options.length]);
  };
  const search = async () => {
    request.abort();
    request = new AbortController();
    const { signal } = request;
    try {
      const groups = await fetchGroups(form, signal);
      const count = groups.reduce((sum, { results }) => sum + results.length, 0);
      open(groups, count === 0 ? NO_RESULTS : `${count} ${count === 1 ? "result" : "results"}`);
    } catch (error) {
      if (!signal.aborted) status.textContent = `Search failed: ${error.message}`;
    }
  };

  input.addEventListener("input", () => {
    clearTimeout(timer);
    if (input.value.trim() === "") return close();
    timer = setTimeout(search, WAIT_MS);
  });
  input.addEventListener("focus", () => {
    if (input.value.trim() === "" && form.dataset.search === "recent") open(recentGroups(), "");
  });
  input.addEventListener("keydown", (event) => {
    const active = optionsOf(list).find(isActive);
    if (list.hidden || event.isComposing) return;
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Escape") close();
    else if (event.key === "Enter" && active) active.click();
    else return;
    event.preventDefault();
  });
  form.addEventListener("focusout", ({ relatedTarget }) => {
    if (!form.contains(relatedTarget)) close();
  });
  // Keeps the focus in the field, so that the list stays open until the link is followed.
  list.addEventListener("mousedown", (event) => event.preventDefault());
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
  const isPage = document.getElementById("find") && !document.title.startsWith("Error: ") && !location.pathname.endsWith("/tools/search");
  if (!isPage) return;
  const page = { label: document.title.replace(/ · Roomrack$/, ""), detail: "", url: pageUrl() };
  const others = recentPages().filter(({ url }) => url !== page.url);
  try {
    localStorage.setItem(RECENT_KEY, JSON.stringify([page, ...others].slice(0, MOST_RECENT)));
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
