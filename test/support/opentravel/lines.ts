import { day } from "../channel.ts";

/** A message that covers two weeks. */
export type Base = { root: string; name: string; xml: string };

const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05"';
const NIGHTS = `Start="${day(1)}" End="${day(14)}"`;

function message(root: string, list: string, lines: string): string {
  return `<${root} ${NAMESPACE}><${list} HotelCode="HOTEL">${lines}</${list}></${root}>`;
}

const amount = (guests: string) =>
  `<BaseByGuestAmts><BaseByGuestAmt ${guests} AmountAfterTax="100"/></BaseByGuestAmts><AdditionalGuestAmounts><AdditionalGuestAmount Amount="20"/></AdditionalGuestAmounts><MealsIncluded MealPlanIndicator="true"/>`;
const stays = '<LengthsOfStay><LengthOfStay MinMaxMessageType="SetMinLOS" Time="2"/></LengthsOfStay>';
const closed = '<RestrictionStatus Status="Close"/>';

const counts = (target: string) =>
  message(
    "OTA_HotelInvCountNotifRQ",
    "Inventories",
    `<Inventory><UniqueID ID="1"/><StatusApplicationControl ${NIGHTS} ${target}></StatusApplicationControl><InvCounts><InvCount CountType="2" Count="0"/></InvCounts></Inventory>`,
  );
const restrictions = (target: string) =>
  message(
    "OTA_HotelAvailNotifRQ",
    "AvailStatusMessages",
    `<AvailStatusMessage><StatusApplicationControl ${NIGHTS} ${target}></StatusApplicationControl>${stays}${closed}</AvailStatusMessage>`,
  );
const rules = (target: string) =>
  message(
    "OTA_HotelBookingRuleNotifRQ",
    "RuleMessages",
    `<RuleMessage><StatusApplicationControl ${NIGHTS} ${target}></StatusApplicationControl><BookingRules><BookingRule>${stays}<DOW_Restrictions><ArrivalDaysOfWeek Mon="true"/></DOW_Restrictions>${closed}</BookingRule></BookingRules></RuleMessage>`,
  );
const amounts = (target: string, guests: string) =>
  message(
    "OTA_HotelRateAmountNotifRQ",
    "RateAmountMessages",
    `<RateAmountMessage><StatusApplicationControl ${NIGHTS} ${target}></StatusApplicationControl><Rates><Rate>${amount(guests)}</Rate></Rates></RateAmountMessage>`,
  );
const plan = (target: string, guests: string) =>
  message(
    "OTA_HotelRatePlanNotifRQ",
    "RatePlans",
    `<RatePlan RatePlanCode="BAR"><BookingRules><BookingRule ${NIGHTS} ${target}>${stays}<DOW_Restrictions><ArrivalDaysOfWeek Mon="true"/></DOW_Restrictions>${closed}</BookingRule></BookingRules><Rates><Rate ${NIGHTS} ${target}>${amount(guests)}</Rate></Rates></RatePlan>`,
  );

const DBL = 'InvTypeCode="DBL"';
const BAR = `${DBL} RatePlanCode="BAR"`;

/** Messages with a category and a rate plan. */
export const NAMED: readonly Base[] = [
  { root: "OTA_HotelInvCountNotifRQ", name: "counts of a category", xml: counts(DBL) },
  { root: "OTA_HotelInvCountNotifRQ", name: "counts of a plan", xml: counts(BAR) },
  { root: "OTA_HotelAvailNotifRQ", name: "restrictions of a plan", xml: restrictions(BAR) },
  { root: "OTA_HotelBookingRuleNotifRQ", name: "booking rules of a plan", xml: rules(BAR) },
  { root: "OTA_HotelRateAmountNotifRQ", name: "amounts of a plan", xml: amounts(BAR, 'NumberOfGuests="2"') },
  { root: "OTA_HotelRatePlanNotifRQ", name: "a plan", xml: plan(DBL, 'NumberOfGuests="2"') },
];

/** Messages without a category or rate plan where possible. */
export const BARE: readonly Base[] = [
  { root: "OTA_HotelInvCountNotifRQ", name: "counts of the hotel", xml: counts('AllInvCode="true"') },
  { root: "OTA_HotelAvailNotifRQ", name: "restrictions of the hotel", xml: restrictions("") },
  { root: "OTA_HotelBookingRuleNotifRQ", name: "booking rules of the hotel", xml: rules("") },
  { root: "OTA_HotelRateAmountNotifRQ", name: "amounts of the hotel", xml: amounts('AllInvCode="true"', "") },
  { root: "OTA_HotelRatePlanNotifRQ", name: "a plan for all categories", xml: plan("", "") },
];

/**
 * Adds an attribute to the first element with this name. Returns `undefined` if there is no such element, or if it already has the
 * attribute.
 */
export function withAttribute(xml: string, element: string, { name, value }: { name: string; value: string }): string | undefined {
  const tag = new RegExp(`<${element}(?=[\\s/>])[^>]*>`).exec(xml);
  if (!tag || new RegExp(`\\s${name}=`).test(tag[0])) return undefined;
  const at = tag.index + element.length + 1;
  return `${xml.slice(0, at)} ${name}="${value}"${xml.slice(at)}`;
}

/** Adds a child to the first element with this name. Returns `undefined` if there is no such element, or if it already has the child. */
export function withChild(xml: string, element: string, child: string): string | undefined {
  const tag = new RegExp(`<${element}(?=[\\s/>])([^>]*?)(/?)>`).exec(xml);
  const name = /^<(\w+)/.exec(child)![1]!;
  if (!tag || new RegExp(`<${name}[\\s/>]`).test(xml)) return undefined;
  const [whole, attributes, isEmpty] = tag;
  const opened = `<${element}${attributes}>${child}${isEmpty ? `</${element}>` : ""}`;
  return xml.slice(0, tag.index) + opened + xml.slice(tag.index + whole.length);
}
