import { mapHtml, type Html, html } from "../../../web/html.ts";
import { type Column, columnTable } from "../../../web/parts/column-table.ts";
import { type FormState, hiddenFields, selectBox, textField, tokenField } from "../../../web/parts/fields.ts";
import { ifAllowed } from "../../../web/parts/if-allowed.ts";
import { relativeMoment } from "../../../web/parts/moment.ts";
import { path } from "../../../web/path.ts";
import type { CodeKind, SenderCode } from "../../channel/senders/code-store.ts";
import type { UnknownCodeSummary } from "../../channel/senders/refusal-store.ts";
import { createRecordsPath } from "./create-page.ts";
import type { HotelCodes } from "./instructions.ts";

export const KIND_LABELS: Readonly<Record<CodeKind, string>> = { property: "property", category: "category", plan: "rate plan" };

export function isCodeKind(text: string): text is CodeKind {
  return Object.hasOwn(KIND_LABELS, text);
}

type CodesView = { sender: string; hotels: readonly HotelCodes[]; token: string };

/** Lists codes that were refused as unknown, with forms to create them or map them to ours. */
export function unknownCodeTable(unknown: readonly UnknownCodeSummary[], codesView: CodesView): Html {
  if (unknown.length === 0) return html`<p class="empty">No unknown codes in the last 30 days.</p>`;
  const columns: readonly Column<UnknownCodeSummary>[] = [
    { head: "Code", cell: ({ code }) => html`<code>${code}</code>` },
    {
      head: "Kind",
      narrow: "label",
      cell: ({ kind, property }) => `${KIND_LABELS[kind]}${property === undefined ? "" : ` of ${property}`}`,
    },
    { head: { number: "Messages" }, cell: ({ count }) => count },
    {
      head: "Last",
      narrow: "label",
      class: "nowrap",
      cell: ({ lastAt, message }) => html`<a href="${path`/dev/logs/${message}`}">${relativeMoment(lastAt)}</a>`,
    },
    {
      head: { action: "Create or map" },
      cell: (one) =>
        html`<div class="actions">
          ${createLink(one, codesView.sender)} ${quickMap(one, { ...codesView, list: `ours-${unknown.indexOf(one)}` })}
        </div>`,
    },
  ];
  return html`${columnTable({ label: "Unknown codes", narrow: "stacked" }, columns, unknown)}
  ${ifAllowed(html`<p class="actions"><a class="button" href="${createRecordsPath(codesView.sender)}">Create all…</a></p>`)}`;
}

function createLink({ kind, property, code }: UnknownCodeSummary, sender: string): Html {
  return html`<a class="button small" href="${createRecordsPath(sender, { kind, property, code })}"
    >Create…<span class="visually-hidden"> ${code}</span></a
  >`;
}

/** Suggests matching codes from the datalist `list`. */
function quickMap(unknown: UnknownCodeSummary, { hotels, token, list }: CodesView & { list: string }): Html {
  const { kind, property = "", code } = unknown;
  return html`<form method="post">
    ${tokenField(token)} ${hiddenFields({ kind, property, code })}
    <input name="target" type="text" class="short" required aria-label="Our code for ${code}" placeholder="our code" list="${list}" />
    <datalist id="${list}">${mapHtml(codesLike(unknown, hotels), (one) => html`<option value="${one}"></option>`)}</datalist>
    <button type="submit" class="small" name="action" value="map">Map<span class="visually-hidden"> ${code}</span></button>
  </form>`;
}

function codesLike({ kind, property }: UnknownCodeSummary, hotels: readonly HotelCodes[]): readonly string[] {
  if (kind === "property") return hotels.map(({ code }) => code);
  const hotel = hotels.find(({ code }) => code === property);
  return (kind === "category" ? hotel?.categories : hotel?.plans) ?? [];
}

export function codeTable(codes: readonly SenderCode[], token: string): Html {
  if (codes.length === 0) return html`<p class="empty">No codes are mapped.</p>`;
  const columns: readonly Column<SenderCode>[] = [
    { head: "Sender's code", cell: ({ code }) => html`<code>${code}</code>` },
    { head: "Kind", narrow: "label", cell: ({ kind }) => KIND_LABELS[kind] },
    { head: "Property", narrow: "label", cell: ({ property }) => property || undefined },
    { head: "Our code", narrow: "label", cell: ({ target }) => html`<code>${target}</code>` },
    { head: { action: "Remove" }, cell: (one) => removeForm(one, token) },
  ];
  return columnTable({ label: "Mapped codes", narrow: "stacked" }, columns, codes);
}

function removeForm({ kind, property, code }: SenderCode, token: string): Html {
  return html`<form method="post">
    ${tokenField(token)} ${hiddenFields({ kind, property, code })}
    <button type="submit" class="small" name="action" value="unmap">Remove<span class="visually-hidden"> ${code}</span></button>
  </form>`;
}

export function mapForm(state: FormState, token: string): Html {
  const kinds = Object.entries(KIND_LABELS);
  return html`<form method="post">
    ${tokenField(token)}
    <div class="fields">
      ${selectBox("kind", "Kind", { value: state.typed["kind"] ?? "category", choices: kinds, fault: state.faults["kind"] })}
      ${textField(state, { name: "property", label: "Property", hint: "For a category or rate plan.", size: "short" })}
      ${textField(state, { name: "code", label: "Sender's code", required: true, size: "short" })}
      ${textField(state, { name: "target", label: "Our code", required: true, size: "short" })}
    </div>
    <p class="actions"><button type="submit" class="plain" name="action" value="map">Map code</button></p>
  </form>`;
}
