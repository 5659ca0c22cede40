import type { Example } from "../../example.ts";

export const examples: readonly Example[] = [
  {
    name: "ping",
    description: "Tests the connection; EchoData is returned.",
    xml: () => pingWith("Hello"),
  },
  {
    name: "handshake",
    description: "AlpineBits: the client sends its capabilities; the response lists the ones that both sides support.",
    transport: "alpinebits",
    action: "OTA_Ping:Handshaking",
    version: "2024-10",
    xml: () => pingWith(CLIENT_HANDSHAKE),
  },
  {
    name: "handshake-without-json",
    description: "Refused: the handshake is not JSON.",
    transport: "alpinebits",
    action: "OTA_Ping:Handshaking",
    version: "2024-10",
    expect: { refused: 320 },
    xml: () => pingWith("Hello"),
  },
];

const CLIENT_HANDSHAKE = JSON.stringify({
  versions: [
    {
      version: "2024-10",
      actions: [
        { action: "action_OTA_Ping" },
        {
          action: "action_OTA_HotelInvCountNotif",
          supports: ["OTA_HotelInvCountNotif_accept_categories", "OTA_HotelInvCountNotif_accept_deltas"],
        },
      ],
    },
  ],
});

function pingWith(echo: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<OTA_PingRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="8.000">
  <EchoData>${echo}</EchoData>
</OTA_PingRQ>
`;
}
