import type { Role } from "./guard/user.ts";
import { type Html, html, emptyHtml } from "./html.ts";
import { findNavigationPosition, sectionNavigation } from "./navigation.ts";
import { propertyHeader, type PropertyPage } from "./parts/property-header.ts";
import { path } from "./path.ts";
import { type PageReader, type PageShell, signedOutBar, topBar } from "./top-bar.ts";

export type Page = {
  /** The h1 and the start of the document title. */
  title: string;
  subject?: string;
  main: Html;
  /** Default: 200. Refused forms use 422. */
  status?: number;
  refused?: boolean;
  lead?: string;
  actions?: Html;
  wide?: boolean;
  /** Whether the page has no lists or tables and therefore doesn't need their style sheet. */
  withoutLists?: boolean;
  /** Set if the page is about one property, whose header replaces the section's navigation. */
  property?: PropertyPage | undefined;
  /** Whether the user is signed out. If so, the page has no navigation. */
  signedOut?: boolean;
};

/** `role` is undefined for a visitor who is not signed in. */
export type LayoutContext = {
  flash: string | undefined;
  untrustedProxy: string | undefined;
  reader: PageReader | undefined;
  role: Role | undefined;
  /** Shown below the page's content. */
  note: Html;
};

export function layout(page: Page, shell: PageShell, { flash, untrustedProxy, reader, role, note }: LayoutContext): Html {
  const { asset } = shell;
  const place = page.signedOut ? undefined : findNavigationPosition(withoutPrefix(shell));
  return html`<!DOCTYPE html>
    <html lang="en" data-theme="${shell.theme}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${documentTitle(page)}</title>
        <link rel="icon" href="${asset("icon.svg")}" type="image/svg+xml" />
        <link rel="stylesheet" href="${asset("app.css")}" />
        <link rel="stylesheet" href="${asset("grid.css")}" />
        ${page.withoutLists ? emptyHtml : html`<link rel="stylesheet" href="${asset("lists.css")}" />`}
        <script src="${asset("reporter.js")}" type="module" data-intake="${path`/_errors/log`}"></script>
        <script src="${asset("app.js")}" type="module"></script>
        <script src="${asset("fold.js")}" type="module"></script>
        <script src="${asset("grid.js")}" type="module"></script>
        <script src="${asset("keys.js")}" type="module"></script>
        <script src="${asset("search.js")}" type="module"></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        ${page.signedOut ? signedOutBar(shell) : topBar(shell, place, reader)} ${page.property ? emptyHtml : sectionNavigation(place, role)}
        ${untrustedProxy === undefined ? emptyHtml : proxyBanner(untrustedProxy)}
        <main id="main" class="${widthClass(page)}" tabindex="-1">
          ${flash === undefined ? emptyHtml : html`<p class="notice good" role="status">${flash}</p>`}
          ${page.property ? propertyHeader(page.property, page) : emptyHtml} ${isInHeader(page) ? emptyHtml : pageHeading(page)}
          ${page.lead ? html`<p class="lead">${page.lead}</p>` : emptyHtml} ${page.main} ${note}
        </main>
      </body>
    </html> `;
}

/** Removes the path prefix, unless a proxy has already removed it. */
function withoutPrefix({ path: asked, prefix }: PageShell): string {
  return asked.startsWith(`${prefix}/`) ? asked.slice(prefix.length) : asked;
}

/** Returns whether the property header contains the page's heading, as on the property's overview. */
function isInHeader({ title, property }: Page): boolean {
  return title === property?.head.name;
}

function pageHeading({ title, actions }: Page): Html {
  return html`<div class="heading">
    <h1>${title}</h1>
    ${actions ? html`<div class="actions">${actions}</div>` : emptyHtml}
  </div>`;
}

function documentTitle({ title, subject, refused }: Page): string {
  const name = subject === undefined ? title : `${title} · ${subject}`;
  return `${refused ? "Error: " : ""}${name === "Roomrack" ? name : `${name} · Roomrack`}`;
}

function proxyBanner(address: string): Html {
  return html`<aside class="banner" aria-label="Proxy">
    <p>
      Roomrack does not trust the proxy at <code>${address}</code>, so all its clients appear to have the same address.
      <span class="more">If it is yours, set <code>TRUST_PROXY=${address}</code>.</span>
    </p>
  </aside>`;
}

function widthClass({ wide, signedOut }: Page): string {
  if (signedOut) return "slim";
  return wide ? "wide" : "narrow";
}
