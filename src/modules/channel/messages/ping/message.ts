import { escapeText } from "../../../../xml/write.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import type { Message } from "../../message.ts";
import { fieldMissing, invalidValue } from "../../ota-error.ts";
import type { MessageReport } from "../../report.ts";
import { examples } from "./examples.ts";
import { announceCapabilities, type Handshake, intersectHandshakes, parseHandshake } from "./handshake.ts";

const HANDSHAKE_ACTION = "OTA_Ping:Handshaking";

/** A connection test. AlpineBits clients also use it to negotiate versions and capabilities. */
export const ping: Message = {
  root: "OTA_PingRQ",
  about: "Tests the connection. For AlpineBits clients, it also negotiates versions, actions and capabilities.",
  actions: [{ action: HANDSHAKE_ACTION, handshake: "action_OTA_Ping" }],
  hotelElements: [],
  read({ dialect, report, messages }) {
    let depth = 0;
    let echo: string | undefined;
    let echoing = false;
    return {
      open(name) {
        depth += 1;
        if (depth === 2 && name === "EchoData") echoing = true;
        if (echoing) echo ??= "";
      },
      close() {
        depth -= 1;
        if (depth === 1) echoing = false;
      },
      text(text) {
        if (echoing) echo = (echo ?? "") + text;
      },
      finish() {
        const clientHandshake = readOffer(echo, dialect, report);
        return {
          kind: "plain",
          lines: 0,
          answer: () => ({
            summary: clientHandshake ? "Handshake" : "Ping",
            content: clientHandshake
              ? describeAgreement(echo, intersectHandshakes(clientHandshake, announceCapabilities(messages)))
              : writeEcho(echo),
          }),
        };
      },
    };
  },
  examples,
};

function readOffer(echo: string | undefined, dialect: Dialect, report: MessageReport): Handshake | undefined {
  const clientHandshake = dialect.readsHandshake ? parseHandshake(echo ?? "") : undefined;
  if (clientHandshake || !dialect.requiresHandshake) return clientHandshake;
  if (!dialect.repliesToUnreadableHandshake) {
    return void report.error(echo === undefined ? fieldMissing("EchoData") : invalidValue(echo, "EchoData: expected a JSON handshake"));
  }
  report.advise("EchoData is not a JSON handshake");
  return { versions: [] };
}

/** Returns the agreed handshake, which AlpineBits puts in a warning. `EchoData` always follows it. */
function describeAgreement(echo: string | undefined, agreed: Handshake): string {
  const text = escapeText(JSON.stringify(agreed));
  return `<Warnings><Warning Type="11" Status="ALPINEBITS_HANDSHAKE">${text}</Warning></Warnings>${writeEcho(echo ?? "")}`;
}

function writeEcho(echo: string | undefined): string {
  return echo === undefined ? "" : `<EchoData>${escapeText(echo)}</EchoData>`;
}
