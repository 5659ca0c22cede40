import { each, type Html, html, nothing, type Path } from "./html.ts";
import { isolate } from "./parts/isolate.ts";
import { path } from "./path.ts";

export type Page = {
  /** The h1, and the start of the document title. */
  title: string;
  subject?: string;
  main: Html;
  section?: string;
  /** 200 by default, 422 for a refused form. */
  status?: number;
  refused?: boolean;
  lead?: string;
  actions?: Html;
  wide?: boolean;
  /** The reader is not signed in, so the page has no navigation. */
  signedOut?: boolean;
};

export const THEMES = ["auto", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export type Shell = {
  prefix: string;
  theme: Theme;
  targetWithoutTheme?: string;
  open: boolean;
  path: string;
  /** Returns the flash message, but only once. */
  takeFlash(): string | undefined;
  asset(file: string): Path;
};

const NAVIGATION = [
  { section: "property", label: "Properties", to: path`/property` },
  { section: "category", label: "Categories", to: path`/category` },
  { section: "inventories", label: "Inventories", to: path`/inventories` },
  { section: "rates", label: "Rates", to: path`/rates` },
  { section: "channel", label: "Channel", to: path`/channel` },
  { section: "dev", label: "Developers", to: path`/dev` },
  { section: "tools", label: "Tools", to: path`/tools` },
];

export function sectionOf(target: string): (typeof NAVIGATION)[number] | undefined {
  const [, first] = target.split(/[/?]/, 2);
  return NAVIGATION.find(({ section }) => section === first);
}

/** `signOutToken` is undefined for a user who did not sign in with the form. */
export type Reader = { name: string; signOutToken: string | undefined };

export type Surroundings = { flash: string | undefined; untrustedProxy: string | undefined; reader: Reader | undefined };

export function layout(page: Page, shell: Shell, { flash, untrustedProxy, reader }: Surroundings): Html {
  const { asset } = shell;
  return html`<!DOCTYPE html>
    <html lang="en" data-theme="${shell.theme}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${documentTitle(page)}</title>
        <link rel="icon" href="${asset("icon.svg")}" type="image/svg+xml" />
        <link rel="stylesheet" href="${asset("app.css")}" />
        <script src="${asset("reporter.js")}" type="module" data-intake="${path`/_errors/log`}"></script>
        <script src="${asset("app.js")}" type="module"></script>
        <script src="${asset("keys.js")}" type="module"></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        ${shell.open ? openBanner : nothing}
        <header class="top">
          <a class="brand" href="${path`/`}">Roomrack</a>
          ${page.signedOut ? nothing : navigation(page.section)} ${themeSwitch(shell)} ${reader ? userMenu(reader) : nothing}
        </header>
        ${untrustedProxy === undefined ? nothing : proxyBanner(untrustedProxy)}
        <main id="main" class="${widthOf(page)}" tabindex="-1">
          ${flash === undefined ? nothing : html`<p class="notice good" role="status">${flash}</p>`}
          <div class="heading">
            <h1>${page.title}</h1>
            ${page.actions ? html`<div class="actions">${page.actions}</div>` : nothing}
          </div>
          ${page.lead ? html`<p class="lead">${page.lead}</p>` : nothing} ${page.main}
        </main>
      </body>
    </html> `;
}

function documentTitle({ title, subject, refused }: Page): string {
  const name = subject === undefined ? title : `${title} of ${subject}`;
  return `${refused ? "Error: " : ""}${name === "Roomrack" ? name : `${name} · Roomrack`}`;
}

const openBanner = html`<aside class="banner" aria-label="Access">
  <p>
    Access is open because Roomrack runs in development mode on this machine.
    <span class="more">Set <code>ADMIN_PASSWORD</code> or <code>NODE_ENV=production</code> to require a password.</span>
  </p>
</aside>`;

function proxyBanner(address: string): Html {
  return html`<aside class="banner" aria-label="Proxy">
    <p>
      Roomrack does not trust the proxy at <code>${address}</code>, so all its clients appear to have one address.
      <span class="more">If it is yours, set <code>TRUST_PROXY=${address}</code>.</span>
    </p>
  </aside>`;
}

function widthOf({ wide, signedOut }: Page): string {
  if (signedOut) return "slim";
  return wide ? "wide" : "narrow";
}

function navigation(current: string | undefined): Html {
  return html`<nav aria-label="Main">
    <ul>
      ${each(NAVIGATION, (entry) => navigationEntry(entry, current))}
    </ul>
  </nav>`;
}

function userMenu({ name, signOutToken }: Reader): Html {
  return html`<div class="user">
    <a href="${path`/tools/account`}" title="Your account">${isolate(name)}</a>
    ${
      signOutToken === undefined
        ? nothing
        : html`<form method="post" action="${path`/`}">
            <input type="hidden" name="_csrf" value="${signOutToken}" />
            <button type="submit" class="small" name="action" value="sign-out">Sign out</button>
          </form>`
    }
  </div>`;
}

function navigationEntry({ section, label, to }: (typeof NAVIGATION)[number], current: string | undefined): Html {
  return section === current
    ? html`<li><a href="${to}" aria-current="page">${label}</a></li>`
    : html`<li><a href="${to}">${label}</a></li>`;
}

/** Works without JavaScript: a query parameter of the same page sets a cookie. */
function themeSwitch({ theme, path: current }: Shell): Html {
  const search = new URLSearchParams(/\?(.*)/.exec(current)?.[1]);
  return html`<ul class="theme" aria-label="Theme">
    ${each(THEMES, (one) => {
      if (one === theme) return html`<li><span aria-current="true">${one}</span></li>`;
      search.set("theme", one);
      return html`<li><a href="?${search.toString()}" rel="nofollow">${one}</a></li>`;
    })}
  </ul>`;
}
