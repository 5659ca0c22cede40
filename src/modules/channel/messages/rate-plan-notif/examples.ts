import type { Example, ExampleCodes } from "../../example.ts";

const ACTION = "OTA_HotelRatePlanNotif:RatePlans";

export const examples: readonly Example[] = [
  {
    name: "plan-in-full",
    description:
      "AlpineBits: sets a full rate plan, priced per person with half board, with booking rules, a supplement, an offer and descriptions.",
    transport: "alpinebits",
    action: ACTION,
    version: "2024-10",
    xml: (codes) =>
      ratePlansXml(codes, planXml(codes, "Full", rulesXml(codes), ratesXml(STATIC_RATE_XML, rateXml(codes, 0, 13)), EXTRAS_XML, TEXTS_XML)),
  },
  {
    name: "plan-new",
    description: "AlpineBits up to 2022-10 uses New for a full plan. It replaces the stored plan.",
    transport: "alpinebits",
    action: ACTION,
    version: "2022-10",
    xml: (codes) => ratePlansXml(codes, planXml(codes, "New", ratesXml(STATIC_RATE_XML, rateXml(codes, 0, 6)))),
  },
  {
    name: "plan-overlay",
    description: "AlpineBits: sets new amounts for two nights. The rest of the plan is unchanged.",
    transport: "alpinebits",
    action: ACTION,
    version: "2024-10",
    xml: (codes) => ratePlansXml(codes, planXml(codes, "Overlay", ratesXml(rateXml(codes, 3, 4)))),
  },
  {
    name: "plan-stop-sell",
    description: "A booking rule that takes one of the plan's categories off sale for three nights and allows no arrivals on Sundays.",
    xml: (codes) => ratePlansXml(codes, planXml(codes, "Overlay", stopSellXml(codes))),
  },
  {
    name: "plan-delta",
    description: "A delta sets the amount for one guest; the amount for two guests is unchanged.",
    xml: (codes) => ratePlansXml(codes, planXml(codes, "Delta", ratesXml(singleXml(codes, "84.00")))),
  },
  {
    name: "plan-with-products",
    description:
      "The plan lists its categories as products. Its amounts, which are per person and in cents, apply only to these categories.",
    xml: (codes) => ratePlansXml(codes, planXml(codes, "Overlay", ratesXml(perPersonXml(codes)), productsXml(codes))),
  },
  {
    name: "plan-complete-set",
    description: "AlpineBits: a complete set with one plan. All other plans are removed.",
    transport: "alpinebits",
    action: ACTION,
    version: "2022-10",
    xml: (codes) => ratePlansXml(codes, COMPLETE_SET_XML, planXml(codes, "New", ratesXml(STATIC_RATE_XML, rateXml(codes, 0, 6)))),
  },
  {
    name: "plan-without-static-rate",
    description: "AlpineBits: refused, because a full plan must begin with its static rate.",
    transport: "alpinebits",
    action: ACTION,
    version: "2024-10",
    expect: { refused: 321 },
    xml: (codes) => ratePlansXml(codes, planXml(codes, "Full", ratesXml(rateXml(codes, 0, 6)))),
  },
  {
    name: "plan-with-zero-amount",
    description: "AlpineBits: refused, because an amount must be above 0.",
    transport: "alpinebits",
    action: ACTION,
    version: "2024-10",
    expect: { refused: 320 },
    xml: (codes) => ratePlansXml(codes, planXml(codes, "Overlay", ratesXml(singleXml(codes, "0")))),
  },
  {
    name: "plan-rule-unknown-category",
    description: "Refused: the booking rule applies to a category that the hotel does not have.",
    expect: { refused: 402 },
    xml: (codes) => ratePlansXml(codes, planXml(codes, "Overlay", stopSellXml({ ...codes, category: `${codes.category}-UNKNOWN` }))),
  },
  {
    name: "plan-removed",
    description: "Removes the plan, with its amounts and booking rules from today onward.",
    transport: "alpinebits",
    action: ACTION,
    version: "2024-10",
    xml: (codes) => ratePlansXml(codes, planXml(codes, "Full", ratesXml(STATIC_RATE_XML, rateXml(codes, 0, 6))), planXml(codes, "Remove")),
  },
];

const COMPLETE_SET_XML = '<UniqueID Type="16" ID="1" Instance="CompleteSet"/>';

const STATIC_RATE_XML = `<Rate RateTimeUnit="Day" UnitMultiplier="1">
          <BaseByGuestAmts><BaseByGuestAmt Type="7"/></BaseByGuestAmts>
          <MealsIncluded MealPlanIndicator="true" MealPlanCodes="12"/>
        </Rate>`;

const EXTRAS_XML = `<Supplements>
        <Supplement InvType="EXTRA" InvCode="CLEAN" AddToBasicRateIndicator="true" MandatoryIndicator="true" ChargeTypeCode="18">
          <Description Name="title"><Text TextFormat="PlainText" Language="en">Final cleaning</Text></Description>
        </Supplement>
      </Supplements>
      <Offers>
        <Offer>
          <OfferRules><OfferRule><Occupancy AgeQualifyingCode="10" MinAge="16"/><Occupancy AgeQualifyingCode="8"/></OfferRule></OfferRules>
        </Offer>
      </Offers>`;

const TEXTS_XML = `<Description Name="title">
        <Text TextFormat="PlainText" Language="en">Half board</Text>
        <Text TextFormat="PlainText" Language="de">Halbpension</Text>
      </Description>`;

function ratePlansXml({ hotel }: ExampleCodes, ...parts: readonly string[]): string {
  const head = parts[0] === COMPLETE_SET_XML ? `\n  ${COMPLETE_SET_XML}` : "";
  const plans = parts.filter((part) => part !== COMPLETE_SET_XML);
  return `<?xml version="1.0" encoding="UTF-8"?>
<OTA_HotelRatePlanNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.000">${head}
  <RatePlans HotelCode="${hotel}">
    ${plans.join("\n    ")}
  </RatePlans>
</OTA_HotelRatePlanNotifRQ>
`;
}

function planXml({ plan: code, currency }: ExampleCodes, type: string, ...parts: readonly string[]): string {
  const start = `<RatePlan RatePlanNotifType="${type}" CurrencyCode="${currency}" RatePlanCode="${code}"`;
  return parts.length === 0 ? `${start}/>` : `${start}>\n      ${parts.join("\n      ")}\n    </RatePlan>`;
}

function ratesXml(...parts: readonly string[]): string {
  return `<Rates>\n        ${parts.join("\n        ")}\n      </Rates>`;
}

function rateXml({ category, day }: ExampleCodes, from: number, to: number): string {
  return `<Rate InvTypeCode="${category}" Start="${day(from)}" End="${day(to)}">
          <BaseByGuestAmts>
            <BaseByGuestAmt NumberOfGuests="1" AgeQualifyingCode="10" AmountAfterTax="96"/>
            <BaseByGuestAmt NumberOfGuests="2" AgeQualifyingCode="10" AmountAfterTax="84"/>
          </BaseByGuestAmts>
          <AdditionalGuestAmounts>
            <AdditionalGuestAmount AgeQualifyingCode="8" MaxAge="6" Amount="0"/>
            <AdditionalGuestAmount AgeQualifyingCode="10" Amount="70"/>
          </AdditionalGuestAmounts>
        </Rate>`;
}

function singleXml({ category, day }: ExampleCodes, amount: string): string {
  const base = `<BaseByGuestAmt NumberOfGuests="1" AgeQualifyingCode="10" AmountAfterTax="${amount}"/>`;
  return `<Rate InvTypeCode="${category}" Start="${day(0)}" End="${day(6)}"><BaseByGuestAmts>${base}</BaseByGuestAmts></Rate>`;
}

function perPersonXml({ day }: ExampleCodes): string {
  const base = '<BaseByGuestAmt NumberOfGuests="2" AmountAfterTax="6450" Type="21"/>';
  return `<Rate Start="${day(0)}" End="${day(6)}" DecimalPlaces="2"><BaseByGuestAmts>${base}</BaseByGuestAmts></Rate>`;
}

function productsXml({ category }: ExampleCodes): string {
  return `<SellableProducts><SellableProduct InvCode="${category}"/></SellableProducts>`;
}

function rulesXml({ category, day }: ExampleCodes): string {
  const allDays = 'Mon="1" Tue="1" Weds="1" Thur="1" Fri="1" Sat="1"';
  return `<BookingRules>
        <BookingRule Start="${day(0)}" End="${day(13)}">
          <LengthsOfStay><LengthOfStay Time="2" TimeUnit="Day" MinMaxMessageType="SetMinLOS"/></LengthsOfStay>
          <DOW_Restrictions><ArrivalDaysOfWeek ${allDays} Sun="0"/><DepartureDaysOfWeek ${allDays} Sun="1"/></DOW_Restrictions>
          <RestrictionStatus Restriction="Master" Status="Open"/>
        </BookingRule>
        <BookingRule CodeContext="ROOMTYPE" Code="${category}" Start="${day(7)}" End="${day(9)}">
          <LengthsOfStay><LengthOfStay Time="3" TimeUnit="Day" MinMaxMessageType="SetMinLOS"/></LengthsOfStay>
        </BookingRule>
      </BookingRules>`;
}

function stopSellXml({ category, day }: ExampleCodes): string {
  return `<BookingRules>
        <BookingRule CodeContext="ROOMTYPE" Code="${category}" Start="${day(2)}" End="${day(4)}">
          <DOW_Restrictions><ArrivalDaysOfWeek Mon="1" Tue="1" Weds="1" Thur="1" Fri="1" Sat="1" Sun="0"/></DOW_Restrictions>
          <RestrictionStatus Restriction="Master" Status="Close"/>
        </BookingRule>
      </BookingRules>`;
}
