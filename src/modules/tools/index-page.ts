import { DAY_MS } from "../../calendar/night.ts";
import type { Count } from "../../db/listing.ts";
import { countTotals } from "../../records/counts.ts";
import { each, type Html, html, nothing } from "../../web/html.ts";
import { messageOf } from "../../web/http-error.ts";
import type { Page } from "../../web/page.ts";
import { amount } from "../../web/parts/amount.ts";
import { forAdmins } from "../../web/parts/for-admins.ts";
import { moment } from "../../web/parts/moment.ts";
import { pruningNotice } from "../../web/parts/notices.ts";
import { path } from "../../web/path.ts";
import { type ToolNeeds, dateOf, type Tool } from "./tool.ts";

/** One tool on the index; `status` says in a few words whether there is something to do. */
export type Card = Pick<Tool, "slug" | "access" | "title" | "about"> & { status: string; lastUse: Date | undefined };

/** What a card is made from: a tool, or pages of another module below `/tools`. */
export type CardSource = Pick<Tool, "slug" | "access" | "title" | "about" | "status">;

/** Its page belongs to the errors module. */
export const errorsCard: CardSource = {
  slug: "errors",
  title: "Error log",
  about: "Unhandled errors from the service and from browsers, newest first.",
  async status({ database, clock, errors }) {
    const now = clock.now();
    const { openGroups: groups, errors: entries } = await countTotals(database, now - DAY_MS, now);
    const skipped = (await errors.listSkipped()).reduce((sum, { count }) => sum + count, 0);
    const some = `${words(groups)} open ${groups.total === 1 ? "group" : "groups"}, ${words(entries)} in the last 24 hours`;
    return skipped === 0 ? some : `${some}; ${amount(skipped)} skipped`;
  },
};

function words({ total, exact }: Count): string {
  return `${amount(total)}${exact ? "" : "+"}`;
}

/** Asks every tool for its state. One that fails says why; the others are still shown. */
export function indexCards(tools: readonly CardSource[], services: ToolNeeds): Promise<Card[]> {
  const lastUses = new Map(services.routes.list().map((route) => [route.path, route.lastHitAt]));
  return Promise.all(
    tools.map(async ({ slug, access, title, about, status }) => {
      return { slug, access, title, about, status: await statusOf(status, services), lastUse: dateOf(lastUses.get(`/tools/${slug}`)) };
    }),
  );
}

async function statusOf(status: Tool["status"], services: ToolNeeds): Promise<string> {
  try {
    return await status(services);
  } catch (error) {
    return `cannot tell: ${messageOf(error)}`;
  }
}

/** The tools as cards. */
export function indexPage(cards: readonly Card[], pruningBehindDays: number): Page {
  return {
    title: "Tools",
    section: "tools",
    wide: true,
    lead: "How this service is put together, how it is doing, and what can be set right.",
    actions: html`<a class="button" href="?format=json">JSON</a> <button type="button" data-copy="copy-text">Copy as JSON</button>`,
    main: html`${pruningNotice(pruningBehindDays)}
      <ul class="cards">
        ${each(cards, (card) => (card.access === "admin" ? forAdmins(cardItem(card)) : cardItem(card)))}
      </ul>
      <details>
        <summary>This page as JSON</summary>
        <pre id="copy-text" tabindex="0">${JSON.stringify(cards, undefined, 2)}</pre>
      </details>`,
  };
}

function cardItem({ slug, title, about, status, lastUse }: Card): Html {
  return html`<li>
    <h2><a href="${path`/tools/${slug}`}">${title}</a></h2>
    <p>${about}</p>
    <p><strong>${status}</strong></p>
    ${lastUse === undefined ? nothing : html`<p class="muted">Last opened ${moment(lastUse.getTime())}</p>`}
  </li>`;
}
