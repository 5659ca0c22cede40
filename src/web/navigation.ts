import { hasRole, type Role } from "./guard/user.ts";
import { mapHtml, type Html, html, emptyHtml, type Path } from "./html.ts";
import { path, withQuery } from "./path.ts";

/** `at` is the path of the page, and the prefix of pages below it. `to` is set if links lead elsewhere. */
type NavigationEntry = { label: string; at: Path; to?: Path; role?: Role };

/** `others` are paths that belong to the section but are not listed in its navigation. */
type NavigationSection = NavigationEntry & { pages: readonly NavigationEntry[]; others?: readonly Path[] };

const NAVIGATION_SECTIONS: readonly NavigationSection[] = [
  { label: "Overview", at: path`/`, pages: [] },
  {
    label: "Properties",
    at: path`/property`,
    pages: [
      { label: "Properties", at: path`/property` },
      { label: "Categories", at: path`/category` },
      { label: "Import", at: path`/tools/import`, role: "editor" },
    ],
    others: [path`/tools/plans`, path`/tools/property`],
  },
  {
    label: "Grid",
    at: path`/inventories`,
    pages: [
      { label: "Inventories", at: path`/inventories` },
      { label: "Rates", at: path`/rates` },
      { label: "Saved views", at: path`/tools/views` },
    ],
  },
  {
    label: "Messages",
    at: path`/dev/logs`,
    pages: [
      { label: "Log", at: path`/dev/logs` },
      { label: "Console", at: path`/dev/channel`, role: "editor" },
      { label: "Channel", at: path`/channel` },
    ],
  },
  { label: "Connections", at: path`/dev/senders`, pages: [] },
  {
    label: "Admin",
    at: path`/tools`,
    pages: [
      { label: "Tools", at: path`/tools` },
      { label: "Errors", at: path`/tools/errors`, to: withQuery(path`/tools/errors`, { view: "groups" }) },
      { label: "Alerts", at: path`/tools/alerts` },
      { label: "Users", at: path`/tools/users`, role: "admin" },
      { label: "API tokens", at: path`/tools/tokens`, role: "admin" },
      { label: "Webhooks", at: path`/dev/webhooks`, role: "admin" },
      { label: "Audit log", at: path`/tools/audit`, role: "admin" },
      { label: "Developers", at: path`/dev` },
    ],
  },
];

/** Returns all pages in the navigation that users with `role` may see. */
export function listPagesForRole(role: Role | undefined): { label: string; to: Path }[] {
  const pages = NAVIGATION_SECTIONS.flatMap((section) => (section.pages.length === 0 ? [section] : section.pages));
  return allowedPages(pages, role).map(({ label, at, to = at }) => ({ label, to }));
}

/** The search page belongs to every section. */
const SEARCH_PATH = path`/tools/search`;

type NavigationPosition = { section: NavigationSection; page: NavigationEntry };

/** Finds the entry with the longest path that contains `target`, a path with or without a query. */
export function findNavigationPosition(target: string): NavigationPosition | undefined {
  const [wanted = ""] = target.split(/[?#]/, 1);
  if (wanted === SEARCH_PATH.text) return undefined;
  const places = NAVIGATION_SECTIONS.flatMap((section) => listSectionPages(section).map((page) => ({ section, page })));
  const containingPlaces = places.filter(({ page: { at } }) => wanted === at.text || (at.text !== "/" && wanted.startsWith(`${at.text}/`)));
  return containingPlaces.toSorted((one, other) => other.page.at.text.length - one.page.at.text.length)[0];
}

function listSectionPages(section: NavigationSection): NavigationEntry[] {
  const { label, pages, others = [] } = section;
  return [section, ...pages, ...others.map((at) => ({ label, at }))];
}

export function mainNavigation(place: NavigationPosition | undefined): Html {
  return html`<nav class="main-nav" aria-label="Main">
    <ul>
      ${mapHtml(NAVIGATION_SECTIONS, (section) => entryLink(section, section === place?.section ? ariaCurrent(section) : undefined))}
    </ul>
  </nav>`;
}

/** Returns the `aria-current` value of a section. If the section has its own pages, it is the current area instead of the current page. */
function ariaCurrent({ pages }: NavigationSection): "page" | "true" {
  return pages.length === 0 ? "page" : "true";
}

/** Returns links to the pages in the current section. */
export function sectionNavigation(place: NavigationPosition | undefined, role: Role | undefined): Html {
  if (!place || place.section.pages.length === 0) return emptyHtml;
  const current = place.section.pages.find(({ at }) => at.text === place.page.at.text);
  return html`<nav class="section-nav" aria-label="${place.section.label}">
    <ul>
      ${mapHtml(allowedPages(place.section.pages, role), (page) => entryLink(page, page === current ? "page" : undefined))}
    </ul>
  </nav>`;
}

function allowedPages(pages: readonly NavigationEntry[], role: Role | undefined): NavigationEntry[] {
  return pages.filter(({ role: needed }) => needed === undefined || hasRole(role, needed));
}

function entryLink({ label, at, to = at }: NavigationEntry, current: "page" | "true" | undefined): Html {
  return html`<li>
    <a href="${to}" ${current === undefined ? emptyHtml : html`aria-current="${current}"`}>${label}</a>
  </li>`;
}
