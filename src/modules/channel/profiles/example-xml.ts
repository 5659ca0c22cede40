import { OTA_NAMESPACE } from "../dialects/answer-xml.ts";

type XmlContext = { hotel: string; namespace?: string; head?: string };

/** Wraps lines in an `OTA_HotelAvailNotifRQ`. `hotel` contains the attributes that identify the property. */
export function availXml({ hotel, namespace, head }: XmlContext, ...lines: readonly string[]): string {
  return messageXml({ root: "OTA_HotelAvailNotifRQ", list: "AvailStatusMessages", namespace, head, hotel }, lines);
}

export function ratesXml({ hotel, namespace, head }: XmlContext, ...lines: readonly string[]): string {
  return messageXml({ root: "OTA_HotelRateAmountNotifRQ", list: "RateAmountMessages", namespace, head, hotel }, lines);
}

type MessageFrame = { root: string; list: string; namespace: string | undefined; head: string | undefined; hotel: string };

function messageXml({ root, list, namespace = OTA_NAMESPACE, head, hotel }: MessageFrame, lines: readonly string[]): string {
  const start = `<${root} xmlns="${namespace}" Version="1.0">`;
  const content = [
    ...(head === undefined ? [] : [`  ${head}`]),
    `  <${list}${hotel && ` ${hotel}`}>`,
    ...lines.map(indentLines),
    `  </${list}>`,
  ];
  return [start, ...content, `</${root}>`].join("\n");
}

function indentLines(lines: string): string {
  return lines.replaceAll(/^/gm, "    ");
}

export function availLine(control: string, content: string, limit = ""): string {
  return `<AvailStatusMessage${limit && ` ${limit}`}>
  <StatusApplicationControl ${control}/>
  ${content}
</AvailStatusMessage>`;
}

/** A line of `OTA_HotelRateAmountNotifRQ` with the room's price. */
export function rateLine(control: string, amount: string): string {
  return `<RateAmountMessage>
  <StatusApplicationControl ${control}/>
  <Rates>
    <Rate>
      <BaseByGuestAmts>
        <BaseByGuestAmt AmountAfterTax="${amount}"/>
      </BaseByGuestAmts>
    </Rate>
  </Rates>
</RateAmountMessage>`;
}
