import { each, type Html, html, nothing } from "./html.ts";
import { path } from "./path.ts";

/** What a page function answers: everything but the frame around it. */
export type Page = {
  /** The h1, and the start of the document's title. */
  title: string;
  /** The page's subject, only for the document's title: it tells windows and bookmarks of a page apart. */
  of?: string;
  main: Html;
  /** Name of the module whose entry in the navigation is marked. */
  section?: string;
  /** 200 when absent, 422 for a refused form. */
  status?: number;
  /** The form was refused: the document's title starts with "Error:". */
  refused?: boolean;
  /** One sentence under the h1. */
  lead?: string;
  /** Links or buttons beside the h1. */
  actions?: Html;
  /** Uses the whole width: grids and wide tables. */
  wide?: boolean;
};

export type Theme = "auto" | "light" | "dark";

/** What every page shows of the request and the service. */
export type Shell = {
  /** Path prefix of `PUBLIC_URL`, empty at the root. */
  prefix: string;
  theme: Theme;
  /** The address that was asked for without its choice of colours, where it has one. */
  uncoloured?: string;
  /** Access is open: development on loopback. */
  open: boolean;
  /** The request's target, for links back to the same page. */
  path: string;
  /** The sentence that is shown once, after a change was saved. */
  takeFlash(): string | undefined;
  /** Path of a file of `public/`, with the hash of its content in the name. */
  asset(file: string): ReturnType<typeof path>;
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

/** The entry of the navigation that a path, without the prefix of the service, lies below. */
export function entryAbove(target: string): (typeof NAVIGATION)[number] | undefined {
  const [, first] = target.split(/[/?]/, 2);
  return NAVIGATION.find(({ section }) => section === first);
}

/** What a page says once or to some: what was saved before, and to administrators the address of a proxy that is not trusted. */
export type Notices = { flash: string | undefined; untrustedProxy: string | undefined };

/** The whole document around a page. */
export function layout(page: Page, shell: Shell, { flash, untrustedProxy }: Notices): Html {
  return html`<!DOCTYPE html>
    <html lang="en" data-theme="${shell.theme}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${documentTitle(page)}</title>
        ${links.getOrInsertComputed(shell.asset, linksTo)}
      </head>
      <body>
        ${top(shell, page.section)} ${untrustedProxy === undefined ? nothing : proxyBanner(untrustedProxy)}
        <main id="main" class="${page.wide ? "wide" : "narrow"}" tabindex="-1">
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

function documentTitle({ title, of, refused }: Page): string {
  const what = of === undefined ? title : `${title} of ${of}`;
  return `${refused ? "Error: " : ""}${what === "Roomrack" ? what : `${what} · Roomrack`}`;
}

/** Half of a short page is always the same; there is a navigation for each section. */
const links = new WeakMap<Shell["asset"], Html>();
const navigations = new Map<string | undefined, Html>();

function linksTo(asset: Shell["asset"]): Html {
  return html`<link rel="icon" href="${asset("icon.svg")}" type="image/svg+xml" />
    <link rel="stylesheet" href="${asset("app.css")}" />
    <script src="${asset("reporter.js")}" type="module" data-intake="${path`/_errors/log`}"></script>
    <script src="${asset("app.js")}" type="module"></script>
    <script src="${asset("keys.js")}" type="module"></script>`;
}

function top(shell: Shell, section: string | undefined): Html {
  return html`<a class="skip" href="#main">Skip to content</a>
    ${shell.open ? openBanner : nothing}
    <header class="top">${navigations.getOrInsertComputed(section, navigation)} ${themeSwitch(shell)}</header>`;
}

function navigation(section: string | undefined): Html {
  return html`<a class="brand" href="${path`/`}">Roomrack</a>
    <nav aria-label="Main">
      <ul>
        ${each(NAVIGATION, (entry) => navigationEntry(entry, section))}
      </ul>
    </nav>`;
}

const openBanner = html`<aside class="banner" aria-label="Access">
  <p>
    Access is open because this is development on this machine.
    <span class="more">Set <code>ADMIN_PASSWORD</code> or <code>NODE_ENV=production</code> to ask for a credential.</span>
  </p>
</aside>`;

function proxyBanner(address: string): Html {
  return html`<aside class="banner" aria-label="Proxy">
    <p>
      Roomrack does not trust the proxy at <code>${address}</code>, so all its clients count as one address.
      <span class="more">If it is yours, set <code>TRUST_PROXY=${address}</code>.</span>
    </p>
  </aside>`;
}

function navigationEntry({ section, label, to }: (typeof NAVIGATION)[number], current: string | undefined): Html {
  return section === current
    ? html`<li><a href="${to}" aria-current="page">${label}</a></li>`
    : html`<li><a href="${to}">${label}</a></li>`;
}

/** Works without JavaScript: the choice is a query of the same page, answered with a cookie. */
function themeSwitch({ theme, path: current }: Shell): Html {
  const search = new URLSearchParams(/\?(.*)/.exec(current)?.[1]);
  return html`<ul class="theme" aria-label="Colours">
    ${each(["auto", "light", "dark"] as const, (one) => {
      if (one === theme) return html`<li><span aria-current="true">${one}</span></li>`;
      search.set("theme", one);
      return html`<li><a href="?${search.toString()}" rel="nofollow">${one}</a></li>`;
    })}
  </ul>`;
}
