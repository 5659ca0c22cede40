import { DAY_MS } from "../../calendar/night.ts";
import { type Count, countErrorsSince, countOpenGroups } from "../../db/count.ts";
import { each, html, nothing } from "../../web/html.ts";
import { messageOf } from "../../web/http-error.ts";
import type { Page } from "../../web/page.ts";
import { amount } from "../../web/parts/amount.ts";
import { moment } from "../../web/parts/moment.ts";
import { path } from "../../web/path.ts";
import type { Services } from "../module.ts";
import type { Tool } from "./tool.ts";

/** One tool on the index; `status` says in a few words whether there is something to do. `lastUse` is UTC milliseconds. */
export type Card = { slug: string; title: string; about: string; status: string; lastUse: number | undefined };

/** What a card is made from: a tool, or pages of another module below `/tools`. */
export type CardSource = Pick<Tool, "slug" | "title" | "about" | "status">;

/** The error log is kept by the module errors. */
export const errorsCard: CardSource = {
  slug: "errors",
  title: "Error log",
  about: "Every error that nobody caught, of the service and of the browsers, newest first.",
  async status({ database, clock }) {
    const [groups, entries] = await Promise.all([countOpenGroups(database), countErrorsSince(database, clock.now() - DAY_MS)]);
    return `${words(groups)} open ${groups.total === 1 ? "group" : "groups"}, ${words(entries)} in the last 24 hours`;
  },
};

function words({ total, exact }: Count): string {
  return `${amount(total)}${exact ? "" : "+"}`;
}

/** Asks every tool for its state. One that fails says why; the others are still shown. */
export function indexCards(tools: readonly CardSource[], services: Services): Promise<Card[]> {
  const lastUses = new Map(services.routes.list().map((route) => [route.path, route.lastHitAt]));
  return Promise.all(
    tools.map(async ({ slug, title, about, status }) => {
      return { slug, title, about, status: await statusOf(status, services), lastUse: lastUses.get(`/tools/${slug}`) };
    }),
  );
}

async function statusOf(status: Tool["status"], services: Services): Promise<string> {
  try {
    return await status(services);
  } catch (error) {
    return `cannot tell: ${messageOf(error)}`;
  }
}

/** The tools as cards. */
export function indexPage(cards: readonly Card[]): Page {
  return {
    title: "Tools",
    section: "tools",
    wide: true,
    lead: "How this service is put together, how it is doing, and what can be set right.",
    actions: html`<a class="button" href="?format=json">JSON</a>`,
    main: html`<ul class="cards">
      ${each(
        cards,
        (card) =>
          html`<li>
            <h2><a href="${path`/tools/${card.slug}`}">${card.title}</a></h2>
            <p>${card.about}</p>
            <p><strong>${card.status}</strong></p>
            ${card.lastUse === undefined ? nothing : html`<p class="muted">Last opened ${moment(card.lastUse)}</p>`}
          </li>`,
      )}
    </ul>`,
  };
}
