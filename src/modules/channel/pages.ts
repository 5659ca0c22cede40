import { each, type Html, html } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { scrollTable } from "../../web/parts/table.ts";
import { path } from "../../web/path.ts";
import { ALPINEBITS_VERSIONS } from "./dialects/alpinebits.ts";
import { MAX_BODY_BYTES } from "./limits.ts";
import type { Message } from "./message.ts";

/** Tells people who open the address in a browser how to send. */
export function usagePage(messages: readonly Message[], address: string): Page {
  return {
    title: "Channel",
    section: "channel",
    lead: "Property systems and channel managers post OpenTravel messages to this address.",
    main: html`${addressPart(address)} ${messagesPart(messages)} ${transportsPart}
      <p>
        The <a href="${path`/dev`}">pages for developers</a> have a whole command to start with, the message log and, for administrators, a
        console to try messages.
      </p>`,
  };
}

function addressPart(address: string): Html {
  return html`<section>
    <h2>Address</h2>
    <p>
      Post one message in a request; each is answered at once, in the dialect in which it came. An answer with <code>Success</code> is
      stored.
    </p>
    <pre tabindex="0"><code>curl --data-binary @message.xml -H 'Content-Type: application/xml' -u NAME:SECRET ${address}</code></pre>
    <p>
      A sender's name and secret are made with <code>npm run sender -- add NAME</code>. They go in HTTP Basic, in a WSSE UsernameToken, or
      in <code>RequestorID</code> with <code>MessagePassword</code>.
    </p>
  </section>`;
}

function messagesPart(messages: readonly Message[]): Html {
  return html`<section>
    <h2>Messages</h2>
    ${scrollTable(
      { label: "Messages", heads: ["Message", "What it does", "AlpineBits action"], narrow: "stacked" },
      each(
        messages,
        ({ root, about, actions }) =>
          html`<tr>
            <th scope="row"><code>${root}</code></th>
            <td class="words">${about}</td>
            <td data-label="AlpineBits action">${actions.length === 0 ? "none" : actions.map(({ action }) => action).join(", ")}</td>
          </tr>`,
      ),
    )}
  </section>`;
}

const transportsPart = html`<section>
  <h2>Transports</h2>
  <ul>
    <li>The bare document, in UTF-8, UTF-16 or another encoding that it declares.</li>
    <li>A SOAP 1.1 or 1.2 envelope.</li>
    <li>An AlpineBits form with <code>action</code> and <code>request</code>, versions ${ALPINEBITS_VERSIONS.join(", ")}.</li>
  </ul>
  <p>A request holds at most ${MAX_BODY_BYTES / 1024 / 1024} MB, and may be compressed with gzip.</p>
</section>`;
