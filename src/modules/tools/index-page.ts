import { countErrorsSince } from "../../db/count.ts";
import { each, html } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { path } from "../../web/path.ts";
import type { Services } from "../module.ts";
import type { Tool } from "./tool.ts";

/** One tool on the index; `status` says in a few words whether there is something to do. */
export type Card = { slug: string; title: string; about: string; status: string };

/** What a card is made from: a tool, or pages of another module below `/tools`. */
export type CardSource = Pick<Tool, "slug" | "title" | "about" | "status">;

const DAY_MS = 86_400_000;

/** The error log is kept by the module errors. */
export const errorsCard: CardSource = {
  slug: "errors",
  title: "Error log",
  about: "Every error that nobody caught, of the service and of the browsers, newest first.",
  async status({ database, clock }) {
    const { total, exact } = await countErrorsSince(database, clock.now() - DAY_MS);
    return `${total}${exact ? "" : "+"} in the last 24 hours`;
  },
};

/** Asks every tool how it stands. One that cannot tell says why, and the others are shown all the same. */
export function indexCards(tools: readonly CardSource[], services: Services): Promise<Card[]> {
  return Promise.all(
    tools.map(async ({ slug, title, about, status }) => ({ slug, title, about, status: await statusOf(status, services) })),
  );
}

async function statusOf(status: Tool["status"], services: Services): Promise<string> {
  try {
    return await status(services);
  } catch (error) {
    return `cannot tell: ${error instanceof Error ? error.message : String(error)}`;
  }
}

export function indexPage(cards: readonly Card[]): Page {
  return {
    title: "Tools",
    section: "tools",
    wide: true,
    lead: "How this service is put together, how it is doing, and what can be set right.",
    actions: html`<a href="?format=json">JSON</a>`,
    main: html`<ul class="cards">
      ${each(
        cards,
        (card) =>
          html`<li>
            <h2><a href="${path`/tools/${card.slug}`}">${card.title}</a></h2>
            <p>${card.about}</p>
            <p class="muted">${card.status}</p>
          </li>`,
      )}
    </ul>`,
  };
}
