import { each, type Html, html, nothing } from "../../web/html.ts";

/** One line of a table of facts; `mark` says in a word that all is well, or what to look at. */
export type Fact = { name: string; value: string | number; mark?: "ok" | "warn" };
export type FactGroup = { title: string; facts: readonly Fact[] };

/** Facts as a table with a row head each. */
export function factTable({ title, facts }: FactGroup): Html {
  return html`<section>
    <h2>${title}</h2>
    <div class="scroll" role="region" aria-label="${title}" tabindex="0">
      <table class="table">
        <tbody>
          ${each(
            facts,
            (fact) =>
              html`<tr>
                <th scope="row">${fact.name}</th>
                <td>${fact.value} ${markOf(fact)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

function markOf({ mark }: Fact): Html {
  if (mark === undefined) return nothing;
  return mark === "ok" ? html`<span class="badge good">OK</span>` : html`<span class="badge warn">look at this</span>`;
}

/** The same as Markdown, for a ticket or a mail. */
export function factsAsMarkdown(groups: readonly FactGroup[]): string {
  const sections = groups.map(({ title, facts }) => [`## ${title}`, "", "| | |", "|---|---|", ...facts.map(markdownRow), ""].join("\n"));
  return sections.join("\n");
}

function markdownRow({ name, value, mark }: Fact): string {
  const text = String(value).replaceAll("|", "\\|").replaceAll("\n", " ");
  return `| ${name} | ${text}${mark === "warn" ? " **(look at this)**" : ""} |`;
}

/** A list inside a table cell; a dash when there is nothing. */
export function words(list: readonly string[]): Html {
  return list.length === 0
    ? html`<span class="muted">–</span>`
    : html`${each(list, (word, index) => html`${index > 0 && ", "}<code>${word}</code>`)}`;
}
