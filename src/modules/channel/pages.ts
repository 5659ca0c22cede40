import { mapHtml, type Html, html } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { inlineCode } from "../../web/parts/inline-code.ts";
import { scrollTable } from "../../web/parts/table.ts";
import { path } from "../../web/path.ts";
import { ALPINEBITS_VERSIONS } from "./dialects/alpinebits.ts";
import { MAX_BODY_BYTES } from "./limits.ts";
import type { PublishedMessage } from "./message.ts";

export function usagePage(messages: readonly PublishedMessage[], address: string): Page {
  return {
    title: "Channel",
    lead: "Property management systems and channel managers send OpenTravel messages to this URL.",
    main: html`${endpointSection(address)} ${messagesSection(messages)} ${transportsSection}
      <p>Developers: see the <a href="${path`/dev`}">quick start, message log and console</a>.</p>`,
  };
}

function endpointSection(address: string): Html {
  return html`<section>
    <h2>Endpoint</h2>
    <p>
      Send one message per request. You get a synchronous answer in the same dialect. <code>&lt;Success/&gt;</code> means the data is
      stored.
    </p>
    <pre tabindex="0"><code>curl --data-binary @message.xml -H 'Content-Type: application/xml' -u NAME:SECRET ${address}</code></pre>
    <p>
      Create credentials with <code>npm run sender -- add NAME</code>. Pass them as HTTP Basic, a WS-Security UsernameToken, or
      <code>RequestorID</code> with <code>MessagePassword</code>.
    </p>
  </section>`;
}

function messagesSection(messages: readonly PublishedMessage[]): Html {
  return html`<section>
    <h2>Messages</h2>
    ${scrollTable(
      { label: "Messages", heads: ["Message", "Description", "AlpineBits action"], narrow: "stacked" },
      mapHtml(
        messages,
        ({ root, about, actions }) =>
          html`<tr>
            <th scope="row"><code>${root}</code></th>
            <td class="words">${inlineCode(about)}</td>
            <td data-label="AlpineBits action">${actions.length === 0 ? "none" : actions.map(({ action }) => action).join(", ")}</td>
          </tr>`,
      ),
    )}
  </section>`;
}

const transportsSection = html`<section>
  <h2>Transports</h2>
  <ul>
    <li>Plain XML in UTF-8, UTF-16 or any declared encoding</li>
    <li>A SOAP 1.1 or 1.2 envelope</li>
    <li>JSON: see the <a href="${path`/channel/schema.json`}">schema</a></li>
    <li>AlpineBits ${ALPINEBITS_VERSIONS.join(", ")}: a form with <code>action</code> and <code>request</code></li>
  </ul>
  <p>Maximum ${MAX_BODY_BYTES / 1024 / 1024} MB per request. gzip is supported.</p>
</section>`;
