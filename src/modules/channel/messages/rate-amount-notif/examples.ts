import type { Example, ExampleCodes } from "../../example.ts";

export const examples: readonly Example[] = [
  {
    name: "amounts-by-guests",
    description: "Sets amounts for one and two guests, before and after tax, for a week. They replace all amounts for those nights.",
    xml: (codes) =>
      amountsXml(
        codes,
        "Overlay",
        rateXml(
          codes,
          `<BaseByGuestAmt NumberOfGuests="1" AmountBeforeTax="90.91" AmountAfterTax="100.00" CurrencyCode="${codes.currency}"/>
            <BaseByGuestAmt NumberOfGuests="2" AmountBeforeTax="109.09" AmountAfterTax="120.00" CurrencyCode="${codes.currency}"/>`,
        ),
      ),
  },
  {
    name: "one-amount",
    description: "Changes only the amount for two guests.",
    xml: (codes) =>
      amountsXml(
        codes,
        "Delta",
        rateXml(codes, `<BaseByGuestAmt NumberOfGuests="2" AmountAfterTax="125.00" CurrencyCode="${codes.currency}"/>`),
      ),
  },
  {
    name: "room-amount",
    description:
      "Without a number of guests or a currency, the amount is a room price in the property's currency. Uses a SOAP 1.2 envelope.",
    transport: "soap12",
    xml: (codes) => amountsXml(codes, "Overlay", rateXml(codes, '<BaseByGuestAmt AgeQualifyingCode="10" AmountAfterTax="123.00"/>')),
  },
  {
    name: "extra-guests",
    description: "Sets a room price, and a charge for each additional adult or child.",
    xml: (codes) =>
      amountsXml(
        codes,
        "Overlay",
        rateXml(
          codes,
          '<BaseByGuestAmt AmountAfterTax="110.00"/>',
          '<AdditionalGuestAmounts><AdditionalGuestAmount AgeQualifyingCode="10" Amount="30"/><AdditionalGuestAmount AgeQualifyingCode="8" MaxAge="12" Amount="10"/></AdditionalGuestAmounts>',
        ),
      ),
  },
  {
    name: "amounts-removed",
    description: "Removes all amounts for these nights.",
    xml: (codes) => amountsXml(codes, "Remove", `<RateAmountMessage>${controlXml(codes)}<Rates><Rate/></Rates></RateAmountMessage>`),
  },
  {
    name: "negative-amount",
    description: "Refused: the amount is below 0.",
    expect: { refused: 320 },
    xml: (codes) => amountsXml(codes, "Overlay", rateXml(codes, '<BaseByGuestAmt NumberOfGuests="2" AmountAfterTax="-5.00"/>')),
  },
  {
    name: "unknown-currency",
    description: "Refused: the currency code is not in ISO 4217.",
    expect: { refused: 61 },
    xml: (codes) =>
      amountsXml(codes, "Overlay", rateXml(codes, '<BaseByGuestAmt NumberOfGuests="2" AmountAfterTax="5.00" CurrencyCode="EURO"/>')),
  },
];

function amountsXml(codes: ExampleCodes, type: string, message: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<OTA_HotelRateAmountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="3.000" NotifType="${type}">
  <RateAmountMessages HotelCode="${codes.hotel}">
    ${message}
  </RateAmountMessages>
</OTA_HotelRateAmountNotifRQ>
`;
}

function rateXml(codes: ExampleCodes, base: string, more = ""): string {
  return `<RateAmountMessage>
      ${controlXml(codes)}
      <Rates>
        <Rate>
          <BaseByGuestAmts>
            ${base}
          </BaseByGuestAmts>${more}
        </Rate>
      </Rates>
    </RateAmountMessage>`;
}

function controlXml({ day, category, plan }: ExampleCodes): string {
  return `<StatusApplicationControl Start="${day(0)}" End="${day(6)}" InvTypeCode="${category}" RatePlanCode="${plan}"/>`;
}
