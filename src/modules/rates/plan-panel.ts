import { valueText } from "../../grid/changes.ts";
import type { PlanFragment, PlanText } from "../../journal/plan-details.ts";
import { mapHtml, type Html, html, emptyHtml } from "../../web/html.ts";
import { momentHtml } from "../../web/parts/moment.ts";
import { factRow } from "../../web/parts/table.ts";
import type { RatePlan } from "./store.ts";

export function planPanel(plan: RatePlan | undefined): Html {
  if (!plan) return emptyHtml;
  const { code, name, currency, priceBasis, mealPlan, taxes, details } = plan;
  return html`<section class="panel" aria-labelledby="plan-title">
    <h2 id="plan-title">Rate plan ${code}</h2>
    <dl class="facts">
      ${factRow("Name", name)} ${factRow("Currency", currency)} ${factRow("Prices", priceBasis && `per ${priceBasis}`)}
      ${factRow("Meals", mealPlan && valueText("mealPlan", mealPlan, ""))} ${factRow("Taxes", taxes && TAX_TEXTS[taxes])}
      ${factRow("Offered", details.start || details.end ? `${details.start ?? "any time"} to ${details.end ?? "any time"}` : undefined)}
      ${factRow("Join code", details.joinCode)} ${details.descriptions.map(descriptionItem)} ${factRow("Status", STATUS_TEXTS[plan.status])}
      ${factRow("First message", html`${momentHtml(plan.firstSeenAt)}${plan.sender === undefined ? emptyHtml : html` from ${plan.sender}`}`)}
      ${factRow("Last message", momentHtml(plan.lastSeenAt))}
    </dl>
    ${fragmentList("Supplements", details.supplements)} ${fragmentList("Offers", details.offers)}
  </section>`;
}

const STATUS_TEXTS: Readonly<Record<string, string>> = { removed: "removed by its sender", retired: "retired; not for sale" };

const TAX_TEXTS = {
  after: "included in the amounts",
  before: "not included in the amounts",
  both: "amounts with and without taxes",
};

function descriptionItem({ name, language, text }: PlanText): Html {
  return factRow(language === undefined ? name : `${name} (${language})`, text);
}

function fragmentList(title: string, all: readonly PlanFragment[]): Html {
  if (all.length === 0) return emptyHtml;
  return html`<h3>${title}</h3>
    <ul>
      ${mapHtml(
        all,
        ({ xml, texts }) =>
          html`<li>
            ${texts.length === 0 ? "No text" : texts.map(({ text }) => text).join(" / ")}
            <details>
              <summary>XML</summary>
              <pre tabindex="0">${xml}</pre>
            </details>
          </li>`,
      )}
    </ul>`;
}
