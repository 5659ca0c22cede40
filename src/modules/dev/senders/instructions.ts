import { mapHtml, type Html, html, emptyHtml } from "../../../web/html.ts";
import { isolateDirections } from "../../../web/parts/isolate.ts";
import { shellQuote } from "../../../web/shell-command.ts";
import type { Sender } from "../../channel/senders/store.ts";

export type HotelCodes = { code: string; name: string; categories: readonly string[]; plans: readonly string[] };

export type SenderInstructions = { sender: Sender; endpoint: string; hotels: readonly HotelCodes[]; secret?: string | undefined };

type Way = { name: string; line: string };

/** Returns the ways to sign in, each with a line to copy. Without `secret`, the lines contain the placeholder SECRET. */
export function waysToSignIn({ sender: { name, digest }, endpoint, secret = "SECRET" }: SenderInstructions): Way[] {
  const url = shellQuote(endpoint);
  const file = "--data-binary @message.xml";
  const xml = `-H 'Content-Type: application/xml' ${file}`;
  const token = `<wsse:UsernameToken><wsse:Username>${name}</wsse:Username><wsse:Password Type="#PasswordText">${secret}</wsse:Password></wsse:UsernameToken>`;
  const basicOptions = `-u ${shellQuote(`${name}:${secret}`)}`;
  return [
    { name: "HTTP Basic", line: `curl ${basicOptions} ${xml} ${url}` },
    { name: "Bearer", line: `curl -H ${shellQuote(`Authorization: Bearer ${secret}`)} ${xml} ${url}` },
    { name: "API key", line: `curl -H ${shellQuote(`X-Api-Key: ${secret}`)} ${xml} ${url}` },
    {
      name: "AlpineBits",
      line: `curl ${basicOptions} -H 'X-AlpineBits-ClientProtocolVersion: 2024-10' -F 'action=OTA_HotelInvCountNotif:FreeRooms' -F 'request=<message.xml' ${url}`,
    },
    { name: "WS-Security, password as text", line: token },
    ...(digest ? [{ name: "WS-Security, password digest", line: DIGEST_XML }] : []),
    { name: "OpenTravel POS", line: `<POS><Source><RequestorID ID="${name}" MessagePassword="${secret}"/></Source></POS>` },
    {
      name: "JSON",
      line: `curl -H ${shellQuote(`X-Api-Key: ${secret}`)} -H 'Content-Type: application/json' --data-binary @message.json ${url}`,
    },
  ];
}

const DIGEST_XML = `<wsse:Password Type="#PasswordDigest">Base64(SHA-1(nonce + created + secret))</wsse:Password>`;

export function instructionsSection(view: SenderInstructions): Html {
  const { sender, endpoint, hotels } = view;
  return html`<section>
    <h2>Instructions for the vendor</h2>
    <dl class="facts">
      <dt>URL</dt>
      <dd><code>${endpoint}</code></dd>
      <dt>User name</dt>
      <dd><code>${sender.name}</code></dd>
      <dt>What to send</dt>
      <dd>${FIRST_MESSAGES_TEXT}</dd>
    </dl>
    <details ${view.secret === undefined ? emptyHtml : html`open`}>
      <summary>Ways to authenticate</summary>
      ${view.secret === undefined ? html`<p class="hint">${PLACEHOLDER_HINT}</p>` : emptyHtml}
      ${mapHtml(waysToSignIn(view), ({ name, line }, index) => wayToSignIn(name, line, index))}
    </details>
    ${hotels.length === 0 ? emptyHtml : codesList(hotels)}
    <details>
      <summary>Instructions as text</summary>
      <p class="hint">Does not contain the secret. Send the secret separately.</p>
      <pre id="instructions" tabindex="0">${instructionsText({ ...view, secret: undefined })}</pre>
      <p>
        <button type="button" class="small" data-copy="instructions">Copy<span class="visually-hidden"> the instructions</span></button>
      </p>
    </details>
  </section>`;
}

const FIRST_MESSAGES_TEXT =
  "Send counts for every category for the next 365 nights, prices for every rate plan, and a complete set. Open the URL in a browser to see which messages it accepts.";
const PLACEHOLDER_HINT = "Replace SECRET with this connection's secret. The secret was shown once, when it was created.";

function wayToSignIn(name: string, line: string, index: number): Html {
  return html`<h3>${name}</h3>
    <pre id="way-${index}" tabindex="0">${line}</pre>
    <p>
      <button type="button" class="small" data-copy="way-${index}">Copy<span class="visually-hidden"> the line for ${name}</span></button>
    </p>`;
}

function codesList(hotels: readonly HotelCodes[]): Html {
  return html`<details>
    <summary>Property, category and rate plan codes</summary>
    ${mapHtml(
      hotels,
      ({ code, name, categories, plans }) =>
        html`<h3><code>${code}</code> ${isolateDirections(name)}</h3>
          <p>Categories: ${codesText(categories)}. Rate plans: ${codesText(plans)}.</p>`,
    )}
  </details>`;
}

function codesText(list: readonly string[]): Html {
  return list.length === 0 ? html`none yet` : mapHtml(list, (code, index) => html`${index === 0 ? "" : ", "}<code>${code}</code>`);
}

export function instructionsText(view: SenderInstructions): string {
  const { sender, endpoint, hotels } = view;
  const signInWays = waysToSignIn(view).map(({ name, line }) => `${name}:\n  ${line}`);
  const lists = hotels.map(
    ({ code, name, categories, plans }) =>
      `${code} (${name}): categories ${categories.join(", ") || "none yet"}; rate plans ${plans.join(", ") || "none yet"}`,
  );
  const facts = [`URL: ${endpoint}`, `User name: ${sender.name}`, `What to send: ${FIRST_MESSAGES_TEXT}`];
  const key = "Ways to authenticate. Replace SECRET with the secret, which you receive separately.";
  return [...facts, "", key, "", ...signInWays, ...(lists.length === 0 ? [] : ["", "Codes:", ...lists])].join("\n");
}
