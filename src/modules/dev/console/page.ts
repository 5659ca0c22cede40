import type { Faults } from "../../../web/form.ts";
import { mapHtml, type Html, html, emptyHtml } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { formatNumber } from "../../../web/parts/amount.ts";
import { faultAttributes, faultText, fieldBox, selectBox, tokenField } from "../../../web/parts/fields.ts";
import { inlineCode } from "../../../web/parts/inline-code.ts";
import { path, withQuery } from "../../../web/path.ts";
import { ALPINEBITS_VERSIONS } from "../../channel/dialects/alpinebits.ts";
import type { Example } from "../../channel/example.ts";
import { publishedMessages } from "../../channel/messages/index.ts";
import { presetExamples } from "../../channel/profiles/presets.ts";
import type { ExampleHotel } from "./examples.ts";
import { type ConsoleForm, PROFILE_CHOICES, TRANSPORT_CHOICES } from "./form.ts";

const CONSOLE_PATH = path`/dev/channel`;
const MAX_EDITABLE_LENGTH = 1_000_000;

export type ConsoleView = {
  form: ConsoleForm;
  token: string;
  hotels: readonly ExampleHotel[];
  hotel: string;
  example: Example | undefined;
  /** The connection to send the message as. */
  connection: string | undefined;
  faults: Faults | undefined;
  result: Html;
};

export function consolePage(view: ConsoleView): Page {
  return {
    title: "Console",
    wide: true,
    refused: view.faults !== undefined,
    lead: "Send a message to the channel as a property system would.",
    actions: html`<a class="button" href="${path`/dev/logs`}">Message log</a>`,
    main: html`${view.result}
      <div class="split">
        <div>${messageForm(view)}</div>
        <div>${exampleList(view)}</div>
      </div>`,
  };
}

function tooLongToEdit(length: number): Html {
  return html`<p class="hint">
    This message has ${formatNumber(length)} characters, too many to edit here. Replay it from the message log or choose a file.
  </p>`;
}

function messageForm({ form, token, example, hotel, connection, faults = {} }: ConsoleView): Html {
  const action = withQuery(CONSOLE_PATH, { example: example?.name, property: hotel || undefined, sender: connection || undefined });
  return html`<form method="post" action="${action}" enctype="multipart/form-data" data-unsaved="stored">
    ${tokenField(token)}<input type="hidden" name="action" value="send" />
    ${example === undefined ? emptyHtml : html`<p class="notice"><b>${example.name}</b>: ${example.description} Expected: ${expectedOutcome(example)[1]}.</p>`}
    <div class="fields">
      ${selectBox("transport", "Transport", { value: form.transport, choices: TRANSPORT_CHOICES })}
      ${selectBox("profile", "Profile", { value: form.profile, choices: PROFILE_CHOICES, fault: faults["profile"] })}
      ${settingsField(form.settings, faults["settings"])} ${connection ? senderField(connection, form.sender, faults["sender"]) : emptyHtml}
    </div>
    <p class="hint">
      The profile determines how the message is read. Example: <code>exely</code> with the setting <code>end=excluded</code>.
    </p>
    <details ${form.transport === "raw" || form.transport === "json" ? emptyHtml : html`open`}>
      <summary>SOAP and AlpineBits options</summary>
      <div class="fields">
        ${actionField(form.action)} ${selectBox("version", "AlpineBits version", { value: form.version, choices: VERSION_CHOICES })}
        ${inputField("username", "SOAP username", form.username)} ${inputField("password", "SOAP password", "")}
      </div>
    </details>
    <div class="field">
      <label for="f-xml">Message</label>
      ${form.xml.length > MAX_EDITABLE_LENGTH ? tooLongToEdit(form.xml.length) : emptyHtml}
      <textarea
        id="f-xml"
        name="xml"
        class="code"
        rows="18"
        placeholder="Paste a message or choose an example"
        spellcheck="false"
        autocomplete="off"
      >
${form.xml.length > MAX_EDITABLE_LENGTH ? "" : form.xml}</textarea>
    </div>
    <div class="field">
      <label for="f-file">File <span class="optional">(optional, sent instead of the message above)</span></label>
      <input id="f-file" name="file" type="file" accept=".xml,text/xml,application/xml" />
    </div>
    <p class="actions">
      <button type="submit" name="run" value="dry">Dry run</button>
      <button type="submit" name="run" value="apply" class="plain">Send and apply</button>
    </p>
    <p class="hint">A dry run processes the message and returns the response, but stores only a log entry.</p>
  </form>`;
}

const VERSION_CHOICES = [["", "none"], ...ALPINEBITS_VERSIONS.map((version) => [version, version] as const)] as const;

function actionField(action: string): Html {
  const knownActions = publishedMessages.flatMap(({ actions }) => actions.map((one) => one.action));
  return html`<div class="field">
    <label for="f-messageAction">AlpineBits action</label>
    <input id="f-messageAction" name="messageAction" type="text" class="medium" list="known-actions" value="${action}" />
    <datalist id="known-actions">${mapHtml(knownActions, (one) => html`<option value="${one}"></option>`)}</datalist>
  </div>`;
}

function senderField(connection: string, value: string, fault: string | undefined): Html {
  const choices = [
    [connection, `${connection}, with its properties and code mapping`],
    ["", "yourself"],
  ] as const;
  return selectBox("sender", "Send as", { value, choices, fault });
}

function settingsField(value: string, fault: string | undefined): Html {
  return fieldBox(
    fault,
    html`<label for="f-settings">Profile settings <span class="optional">(optional)</span></label>
      ${faultText("settings", fault)}
      <input id="f-settings" name="settings" type="text" value="${value}" autocomplete="off" ${faultAttributes("settings", fault)} />`,
  );
}

function inputField(name: string, label: string, value: string): Html {
  const type = name === "password" ? "password" : "text";
  return html`<div class="field">
    <label for="f-${name}">${label} <span class="optional">(optional)</span></label>
    <input
      id="f-${name}"
      name="${name}"
      type="${type}"
      class="medium"
      value="${value}"
      autocomplete="${name === "password" ? "new-password" : "off"}"
    />
  </div>`;
}

function exampleList({ hotels, hotel, example }: ConsoleView): Html {
  return html`<section class="panel">
    <h2>Examples</h2>
    ${hotels.length === 0 ? noHotel : hotelForm(hotels, hotel, example)}
    <p class="hint">
      Expected results assume categories with 50 rooms for up to 4 guests and an existing rate plan. Smaller categories cause warnings.
    </p>
    ${mapHtml(
      [...publishedMessages, { root: "Profiles", about: "One message for each profile.", examples: presetExamples }],
      ({ root, about, examples }) =>
        html`<details ${example !== undefined && examples.includes(example) ? html`open` : emptyHtml}>
          <summary>${root} <span class="hint">${inlineCode(about)}</span></summary>
          <ul>
            ${mapHtml(examples, (one) => exampleLink(one, hotel))}
          </ul>
        </details>`,
    )}
  </section>`;
}

const noHotel = html`<p class="hint">
  No properties yet, so the examples use made-up codes. <a href="${path`/property/new`}">New property</a>
</p>`;

function hotelForm(hotels: readonly ExampleHotel[], hotel: string, example: Example | undefined): Html {
  const hotelChoices = hotels.map(({ code, name }) => [code, `${name} (${code})`] as const);
  const choices = hotels.some(({ code }) => code === hotel) ? hotelChoices : [...hotelChoices, [hotel, hotel] as const];
  return html`<form class="filters" method="get" action="${CONSOLE_PATH}">
    ${example === undefined ? emptyHtml : html`<input type="hidden" name="example" value="${example.name}" />`}
    ${selectBox("property", "Property in examples", { value: hotel, choices })}
    <div><button type="submit">Update</button></div>
  </form>`;
}

function exampleLink(example: Example, property: string): Html {
  const [badge, label] = expectedOutcome(example);
  return html`<li>
    <a href="${withQuery(CONSOLE_PATH, { example: example.name, property })}">${example.name}</a>
    <span class="badge ${badge}">${label}</span>
    <div class="muted small">${example.description}</div>
  </li>`;
}

function expectedOutcome({ expect }: Example): readonly [badge: string, label: string] {
  if (expect === undefined) return ["good", "success"];
  return expect === "warnings" ? ["warn", expect] : ["bad", `refused, code ${expect.refused}`];
}
