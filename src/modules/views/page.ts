import type { NewView, SavedView } from "../../records/saved-views.ts";
import type { Choices } from "../../text.ts";
import { type Html, html, type Path } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { columnTable } from "../../web/parts/column-table.ts";
import type { FieldWords } from "../../web/parts/field-words.ts";
import { choiceField, errorSummary, type FormState, textField, tokenField } from "../../web/parts/fields.ts";
import { isolateDirections } from "../../web/parts/isolate.ts";
import { path, withQuery } from "../../web/path.ts";

export const VIEWS_PATH = path`/tools/views`;

const GRID_CHOICES: Choices = [
  ["inventories", "Inventories"],
  ["rates", "Rates"],
];

export const VIEW_WORDS: FieldWords = { labels: { name: "Name", grid: "Grid", query: "Filters" }, choices: { grid: () => GRID_CHOICES } };

export function viewPath({ grid, query }: NewView): Path {
  const base = grid === "rates" ? path`/rates` : path`/inventories`;
  return withQuery(base, { choose: "property", ...Object.fromEntries(new URLSearchParams(query)) });
}

type ViewsView = { views: readonly SavedView[]; state: FormState; token: string };

export function viewsPage({ views, state, token }: ViewsView): Page {
  return {
    title: "Saved views",
    refused: Object.keys(state.faults).length > 0,
    lead: "A view stores the portfolio's filters, dates and measure. Only you can see your views.",
    actions: html`<a class="button" href="?format=json">JSON</a>`,
    main: html`${errorSummary(state.faults)} ${viewTable(views, token)} ${saveForm(state, token)}`,
  };
}

function viewTable(views: readonly SavedView[], token: string): Html {
  if (views.length === 0)
    return html`<p class="empty">
      No saved views yet. Filter <a href="${path`/inventories`}">inventories</a> or <a href="${path`/rates`}">rates</a>, then select “Save
      view”.
    </p>`;
  return columnTable(
    { label: "Saved views", narrow: "stacked" },
    [
      { head: "Name", cell: (view: SavedView) => html`<a href="${viewPath(view)}">${isolateDirections(view.name)}</a>` },
      { head: "Grid", narrow: "label", cell: ({ grid }) => GRID_CHOICES.find(([value]) => value === grid)![1] },
      {
        head: "Filters",
        narrow: "label",
        cell: ({ query }) => [...new URLSearchParams(query)].map(([field, value]) => `${field} ${value}`).join(", ") || "none",
      },
      { head: { action: "Change" }, cell: (view) => changeForm(view, token) },
    ],
    views,
  );
}

function changeForm({ id, name }: SavedView, token: string): Html {
  return html`<form method="post" class="inline">
    ${tokenField(token)}
    <input type="hidden" name="id" value="${id}" />
    <input name="name" type="text" value="${name}" aria-label="New name of ${name}" />
    <button type="submit" class="small" name="action" value="rename">Rename <span class="visually-hidden">${name}</span></button>
    <button type="submit" class="small danger" name="action" value="delete">Delete <span class="visually-hidden">${name}</span></button>
  </form>`;
}

function saveForm(state: FormState, token: string): Html {
  return html`<section>
    <h2>Save a view</h2>
    <form method="post">
      ${tokenField(token)}
      ${textField(state, { name: "name", label: "Name", required: true, hint: "For example, “Alps, closed this weekend”." })}
      ${choiceField(state, { name: "grid", label: "Grid", choices: GRID_CHOICES, required: true })}
      ${textField(state, { name: "query", label: "Filters", hint: "The query string of the portfolio page, such as days=62&problem=no+price." })}
      <p class="actions"><button type="submit" class="primary" name="action" value="save">Save view</button></p>
    </form>
  </section>`;
}
