import { valueText } from "../../grid/changes.ts";
import type { PlanFragment, PlanText } from "../../journal/plan-details.ts";
import { each, type Html, html, nothing } from "../../web/html.ts";
import { moment } from "../../web/parts/moment.ts";
import { fact } from "../../web/parts/table.ts";
import type { RatePlan } from "./store.ts";

export function planPanel(plan: RatePlan | undefined): Html {
  if (!plan) return nothing;
  const { code, name, currency, priceBasis, mealPlan, taxes, details } = plan;
  return html`<section class="panel" aria-labelledby="plan-title">
    <h2 id="plan-title">Rate plan ${code}</h2>
    <dl class="facts">
      ${fact("Name", name)} ${fact("Currency", currency)} ${fact("Prices", priceBasis && `per ${priceBasis}`)}
      ${fact("Meals", mealPlan && valueText("mealPlan", mealPlan, ""))} ${fact("Taxes", taxes && TAXES[taxes])}
      ${fact("Offered", details.start || details.end ? `${details.start ?? "any time"} to ${details.end ?? "any time"}` : undefined)}
      ${fact("Join code", details.joinCode)} ${details.descriptions.map(description)} ${fact("Status", STATUSES[plan.status])}
      ${fact("First message", html`${moment(plan.firstSeenAt)}${plan.sender === undefined ? nothing : html` from ${plan.sender}`}`)}
      ${fact("Last message", moment(plan.lastSeenAt))}
    </dl>
    ${fragments("Supplements", details.supplements)} ${fragments("Offers", details.offers)}
  </section>`;
}

const STATUSES: Readonly<Record<string, string>> = { removed: "removed by its sender", retired: "retired; not for sale" };

const TAXES = {
  after: "included in the amounts",
  before: "not included in the amounts",
  both: "amounts with and without taxes",
};

function description({ name, language, text }: PlanText): Html {
  return fact(language === undefined ? name : `${name} (${language})`, text);
}

function fragments(title: string, all: readonly PlanFragment[]): Html {
  if (all.length === 0) return nothing;
  return html`<h3>${title}</h3>
    <ul>
      ${each(
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
