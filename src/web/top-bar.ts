import type { Role } from "./guard/user.ts";
import { mapHtml, type Html, html, emptyHtml, type Path } from "./html.ts";
import { mainNavigation, type findNavigationPosition } from "./navigation.ts";
import { isolateDirections } from "./parts/isolate.ts";
import { path } from "./path.ts";

export const THEMES = ["auto", "light", "dark"] as const;
export type ColorTheme = (typeof THEMES)[number];

export type PageShell = {
  prefix: string;
  theme: ColorTheme;
  targetWithoutTheme?: string;
  open: boolean;
  path: string;
  now(): number;
  /** Returns the flash message and clears it. */
  takeFlash(): string | undefined;
  asset(file: string): Path;
};

/** `signOutToken` is undefined for a user who did not sign in with the form. */
export type PageReader = { name: string; role: Role; signOutToken: string | undefined };

const ROLE_LABELS: Record<Role, string> = { viewer: "Viewer", editor: "Editor", admin: "Administrator" };

/** Contains the brand, navigation, search and user menu. Narrow screens show the brand, search and a button that opens the rest. */
export function topBar(shell: PageShell, place: ReturnType<typeof findNavigationPosition>, reader: PageReader | undefined): Html {
  return html`<header class="top">
    <div class="shell">
      ${brandLink}
      <form class="find" method="get" action="${path`/tools/search`}" role="search" aria-label="Everything" data-search="recent">
        <input
          id="find"
          name="q"
          type="search"
          maxlength="200"
          autocomplete="off"
          placeholder="Search"
          aria-label="Search properties, messages and pages"
          aria-keyshortcuts="/ Control+K"
        />
        <button type="submit" aria-label="Search">${magnifierIcon}</button>
      </form>
      <button type="button" class="menu-button" popovertarget="menu">Menu</button>
      <div class="menu" id="menu" popover="auto">${mainNavigation(place)} ${userMenu(shell, reader)}</div>
    </div>
  </header>`;
}

/** The top bar for visitors who are not signed in. */
export function signedOutBar(shell: PageShell): Html {
  return html`<header class="top">
    <div class="shell">${brandLink} ${themeSwitch(shell)}</div>
  </header>`;
}

const brandLink = html`<a class="brand" href="${path`/`}">Roomrack</a>`;

const magnifierIcon = html`<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
  <circle cx="7" cy="7" r="4.5" fill="none" stroke="currentColor" stroke-width="1.5" />
  <path d="M10.5 10.5 14 14" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" />
</svg>`;

function userMenu(shell: PageShell, reader: PageReader | undefined): Html {
  return html`<div class="user">
    <button type="button" class="user-button" popovertarget="user">${userLabel(shell, reader)}</button>
    <div class="user-menu" id="user" popover="auto">
      ${reader ? accountLabel(reader) : emptyHtml} ${shell.open ? openAccessNotice : emptyHtml}
      <div class="theme-line"><span>Theme</span> ${themeSwitch(shell)}</div>
      <button type="button" class="plain" data-keys>Keyboard shortcuts</button>
      ${reader?.signOutToken === undefined ? emptyHtml : signOutForm(reader.signOutToken)}
    </div>
  </div>`;
}

function userLabel({ open }: PageShell, reader: PageReader | undefined): Html {
  if (reader) return isolateDirections(reader.name);
  return open ? html`<span class="badge warn">Open access</span>` : html`Not signed in`;
}

const openAccessNotice = html`<p>
  Access is open because Roomrack runs in development mode on this machine. Set <code>ADMIN_PASSWORD</code> or
  <code>NODE_ENV=production</code> to require a password.
</p>`;

function accountLabel({ name, role }: PageReader): Html {
  return html`<p>
    <a href="${path`/tools/account`}" title="Your account">${isolateDirections(name)}</a> <span class="muted">${ROLE_LABELS[role]}</span>
  </p>`;
}

function signOutForm(token: string): Html {
  return html`<form method="post" action="${path`/`}">
    <input type="hidden" name="_csrf" value="${token}" />
    <button type="submit" class="plain" name="action" value="sign-out">Sign out</button>
  </form>`;
}

/** Returns the theme switch. It works without JavaScript: a query parameter on the same page sets a cookie. */
function themeSwitch({ theme, path: current }: PageShell): Html {
  const search = new URLSearchParams(/\?(.*)/.exec(current)?.[1]);
  return html`<ul class="theme" aria-label="Theme">
    ${mapHtml(THEMES, (one) => {
      if (one === theme) return html`<li><span aria-current="true">${one}</span></li>`;
      search.set("theme", one);
      return html`<li><a href="?${search.toString()}" rel="nofollow">${one}</a></li>`;
    })}
  </ul>`;
}
