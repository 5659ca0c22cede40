import { MEAL_PLAN_CHOICES } from "../../../records/plan/plan.ts";
import { TIME_ZONES } from "../../../records/property/choices.ts";
import { mapHtml, type Html, html, emptyHtml } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { formatCount } from "../../../web/parts/amount.ts";
import { choiceLabel } from "../../../web/parts/field-words.ts";
import { choiceField, errorSummary, type FormState, hiddenFields, tickField, tokenField } from "../../../web/parts/fields.ts";
import { scrollTable } from "../../../web/parts/table.ts";
import { path, withQuery } from "../../../web/path.ts";
import type { PlannedCreation } from "./create-records.ts";

/** `upTo` is the id of the newest message that was read for the preview. */
type CreateView = { sender: string; creations: readonly PlannedCreation[]; upTo: number; state: FormState; token: string };

export function createRecordsPage({ sender, creations, upTo, state, token }: CreateView): Page {
  const backPath = path`/dev/senders/${sender}`;
  const isEmpty = creations.every(({ proposal, categories, plans }) => !proposal.row && categories.length + plans.length === 0);
  return {
    title: "Create records",
    subject: sender,
    refused: Object.keys(state.faults).length > 0,
    lead: `Refused messages from ${sender} refer to these missing records. The values come from the messages. You can edit them later.`,
    actions: html`<a class="button" href="${backPath}">Connection ${sender}</a>`,
    main: isEmpty
      ? html`<p class="empty">Nothing to create. <a href="${backPath}">Back to ${sender}</a></p>`
      : html`${errorSummary(state.faults)} ${mapHtml(creations, creationSection)}
          <form method="post">
            ${tokenField(token)} ${hiddenFields({ upTo })} ${newPropertyFields(creations, state)}
            ${accessField({ sender, creations, state })}
            <div class="actions">
              <button type="submit" name="action" value="create-records">Create</button> <a href="${backPath}">Cancel</a>
            </div>
          </form>`,
  };
}

function creationSection({ property, proposal, fields, categories, plans, impossible }: PlannedCreation): Html {
  const row = (kind: string, code: string, values: readonly (string | undefined)[]) =>
    html`<tr>
      <th scope="row"><code>${code}</code></th>
      <td data-label="Kind">${kind}</td>
      <td data-label="Values">${values.filter((value) => value !== undefined && value !== "").join(", ")}</td>
    </tr>`;
  const rows = [
    ...(fields ? [row("Property", property, [fields.name, fields.currency])] : []),
    ...categories.map((one) =>
      row("Category", one.code, [
        proposedName(one),
        one.rooms === 0 ? undefined : formatCount(one.rooms, "room"),
        `up to ${one.maxOccupancy} guests`,
      ]),
    ),
    ...plans.map((one) =>
      row("Rate plan", one.code, [one.name, one.currency, one.mealPlan && choiceLabel(MEAL_PLAN_CHOICES, one.mealPlan)]),
    ),
  ];
  return html`<section>
    <h2>${proposal.row ? "New property" : "Property"} ${property}</h2>
    ${
      rows.length === 0
        ? emptyHtml
        : scrollTable(
            { label: `Records of ${property}`, heads: ["Code", "Kind", "Values"], narrow: "stacked" },
            mapHtml(rows, (one) => one),
          )
    }
    ${mapHtml(
      impossible,
      (code) =>
        html`<p class="notice warn">
          Roomrack doesn’t allow the code <code>${code}</code>. Map it to another code on the connection’s page.
        </p>`,
    )}
  </section>`;
}

function proposedName({ code, name }: { code: string; name: string }): string | undefined {
  return name === code ? undefined : name;
}

function newPropertyFields(creations: readonly PlannedCreation[], state: FormState): Html {
  if (!creations.some(({ proposal }) => proposal.row)) return emptyHtml;
  return choiceField(state, {
    name: "timeZone",
    label: "Time zone of new properties",
    hint: "Sets when a new day starts at the property.",
    choices: TIME_ZONES,
    required: true,
    guess: Object.keys(state.typed).length === 0 ? "time-zone" : undefined,
  });
}

type AccessContext = Pick<CreateView, "sender" | "creations" | "state">;

function accessField({ sender, creations, state }: AccessContext): Html {
  const codes = creations.filter(({ needsAccess }) => needsAccess).map(({ property }) => property);
  if (codes.length === 0) return emptyHtml;
  return tickField(state, { name: "access", label: `Give ${sender} access to ${codes.join(", ")}`, required: true });
}

export function createRecordsPath(sender: string, code: Readonly<Record<string, string | undefined>> = {}) {
  return withQuery(path`/dev/senders/${sender}`, { view: "create", ...code });
}
