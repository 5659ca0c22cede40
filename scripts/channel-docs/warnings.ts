import { CODES } from "./codes.ts";

/** `xml` is a message that causes the warning, for a property with the two example categories and prices in euros. */
type WarningReference = { xml: string; meaning: string };

const { hotel, category, plan } = CODES;
const [today, tomorrow] = [CODES.day(0), CODES.day(1)];

function message(root: string, list: string, lines: string): string {
  return `<${root} xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><${list} HotelCode="${hotel}">${lines}</${list}></${root}>`;
}

function control(more: string, start = today, end = start): string {
  return `<StatusApplicationControl Start="${start}" End="${end}" ${more}/>`;
}

const ROOM = `InvTypeCode="${category}"`;
const RATE = `${ROOM} RatePlanCode="${plan}"`;
const COUNT = '<InvCounts><InvCount CountType="2" Count="3"/></InvCounts>';
const CHANNEL = "<DestinationSystemCodes><DestinationSystemCode>WEB</DestinationSystemCode></DestinationSystemCodes>";
const OPEN = '<RestrictionStatus Status="Open"/>';

const counts = (line: string) => message("OTA_HotelInvCountNotifRQ", "Inventories", `<Inventory>${line}</Inventory>`);
const restrictions = (line: string, more = "") =>
  message("OTA_HotelAvailNotifRQ", "AvailStatusMessages", `<AvailStatusMessage${more}>${line}</AvailStatusMessage>`);
const stay = (attributes: string) => `<LengthOfStay TimeUnit="Day" ${attributes}/>`;

const AMOUNT = '<BaseByGuestAmts><BaseByGuestAmt NumberOfGuests="2" AmountAfterTax="100"/></BaseByGuestAmts>';
const amounts = (rate: string) =>
  message(
    "OTA_HotelRateAmountNotifRQ",
    "RateAmountMessages",
    `<RateAmountMessage>${control(RATE)}<Rates>${rate}</Rates></RateAmountMessage>`,
  );
const delta = (rate: string) => amounts(rate).replace("Version", 'NotifType="Delta" Version');
const base = (attributes: string) => `<Rate><BaseByGuestAmts><BaseByGuestAmt ${attributes}/></BaseByGuestAmts></Rate>`;
const plans = (parts: string, more = "") =>
  message("OTA_HotelRatePlanNotifRQ", "RatePlans", `<RatePlan RatePlanCode="${plan}"${more}>${parts}</RatePlan>`);
const rule = (attributes: string, parts: string) =>
  plans(`<BookingRules><BookingRule Start="${today}" End="${tomorrow}" ${attributes}>${parts}</BookingRule></BookingRules>`);
const datedRate = (parts: string) => `<Rate ${ROOM} Start="${today}" End="${today}">${parts}</Rate>`;
const contents = (parts: string) =>
  `<OTA_HotelDescriptiveContentNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><HotelDescriptiveContents><HotelDescriptiveContent HotelCode="${hotel}">${parts}</HotelDescriptiveContent></HotelDescriptiveContents></OTA_HotelDescriptiveContentNotifRQ>`;
const rooms = (attributes: string, parts = "") =>
  contents(`<FacilityInfo><GuestRooms><GuestRoom ${attributes}>${parts}</GuestRoom></GuestRooms></FacilityInfo>`);

/** Warnings by topic. To get a warning's text, the message is sent to a service. */
export const warnings: readonly WarningReference[] = [
  { xml: counts(control(ROOM, CODES.day(-3), tomorrow) + COUNT), meaning: "Nights before the property's current date are ignored." },
  { xml: counts(control(ROOM, today, CODES.day(2_000)) + COUNT), meaning: "Nights beyond the property's horizon are ignored." },
  {
    xml: counts(control(`${ROOM} Fri="1"`) + COUNT),
    meaning: "The range contains none of the line's weekdays, so the line has no effect.",
  },
  {
    xml: counts(control(`${ROOM} Colour="red"`) + COUNT),
    meaning: "No standard attribute has this name. See [what limits a line](#what-limits-a-line).",
  },
  {
    xml: counts(control(ROOM) + COUNT).replace("<Inventory>", '<Inventory Count="3">'),
    meaning: "The attribute may contain a count, price or restriction, but it is not stored.",
  },
  {
    xml: counts(control(ROOM) + COUNT).replace("</Inventories>", "<InvCounts/>$&"),
    meaning: "The element is in the wrong place, so it is ignored.",
  },
  {
    xml: counts(`<StatusApplicationControl Start="${today}" ${ROOM}>${CHANNEL}</StatusApplicationControl>${COUNT}`),
    meaning: "See [distribution channels](#distribution-channels).",
  },
  {
    xml: restrictions(control(`${RATE} AllRateCode="1"`) + OPEN),
    meaning: "The line applies only to its plan.",
  },
  {
    xml: counts(control(`${ROOM} InvBlockCode="G1"`) + COUNT),
    meaning: "Lines for a group block or part of one (`SubBlockCode`) have no effect.",
  },
  {
    xml: counts(`${control(ROOM)}<InvCounts><InvCount CountType="2" Count="3"/><InvCount CountType="4" Count="1"/></InvCounts>`),
    meaning: "Counts of this type are ignored.",
  },
  {
    xml: counts(`${control(ROOM)}<InvCounts><InvCount CountType="1" Count="3"/></InvCounts>`),
    meaning: "The number of physical rooms is stored; availability stays unchanged.",
  },
  {
    xml: counts(control(ROOM) + COUNT.replace('"3"', '"9999"').replace("</InvCounts>", '<InvCount CountType="6" Count="1"/></InvCounts>')),
    meaning: "The count is stored, because the category's number of rooms may be out of date.",
  },
  {
    xml: counts(control('AllInvCode="1"') + COUNT),
    meaning: "A count for the whole property is ignored unless it is 0.",
  },
  { xml: counts(`${control(ROOM)}<OffSell OffSellValue="1"/>`), meaning: "The overbooking allowance is ignored." },
  {
    xml: counts(control(`${RATE} InvCode="101"`) + COUNT),
    meaning: "The line is ignored. In other messages, the warning says `restrictions` or `amounts` instead.",
  },
  { xml: restrictions(control(RATE)), meaning: "The line contains nothing that can be stored." },
  {
    xml: restrictions(control(RATE) + OPEN, ' BookingLimitMessageType="SetLimit"'),
    meaning: "The line's restrictions are stored. A line without restrictions is refused.",
  },
  {
    xml: restrictions(control(`RatePlanCode="${plan}"`), ' BookingLimit="3"'),
    meaning: "The limit applies to every category, even to those not sold under the plan.",
  },
  {
    xml: restrictions(`${control(RATE)}<RestrictionStatus Restriction="Master"/>`),
    meaning: "This part is ignored. The rest of the line is stored.",
  },
  {
    xml: restrictions(`${control(RATE)}<RestrictionStatus Status="Close" Restriction="TravelAgent"/>`),
    meaning: "`NonGuarantee` and `TravelAgent` are ignored.",
  },
  {
    xml: restrictions(`${control(RATE)}<RestrictionStatus Status="OnRequest"/>`),
    meaning: "The night is closed, because Roomrack can't sell rooms on request.",
  },
  {
    xml: restrictions(`${control(RATE)}<LengthsOfStay ArrivalDateBased="0">${stay('Time="2" OpenStatusIndicator="1"')}</LengthsOfStay>`),
    meaning: "Patterns of allowed stays are always arrival-based.",
  },
  {
    xml: restrictions(`${control(RATE)}<RestrictionStatus MaxAdvancedBookingOffset="0"/>`),
    meaning: "If the sender uses 0 for “no limit”, set its `maxAdvance0` setting to `clears`.",
  },
  {
    xml: message(
      "OTA_HotelAvailNotifRQ",
      "AvailStatusMessages",
      [`${plan}`, "FLEX"]
        .map(
          (code, limit) => `<AvailStatusMessage BookingLimit="${limit}">${control(`${ROOM} RatePlanCode="${code}"`)}</AvailStatusMessage>`,
        )
        .join(""),
    ),
    meaning: "Each limit becomes the allotment of its plan. To set the category's count, send equal limits, or limits without a plan.",
  },
  {
    xml: restrictions(
      `${control(RATE)}<LengthsOfStay>${stay('MinMaxMessageType="SetMinLOS" Time="7"')}${stay('MinMaxMessageType="SetMaxLOS" Time="5"')}</LengthsOfStay>`,
    ),
    meaning: "The limits are stored, but no stay satisfies both.",
  },
  {
    xml: restrictions(`${control(RATE)}<LengthsOfStay>${stay('MinMaxMessageType="FreeNight" Time="7"')}</LengthsOfStay>`),
    meaning: "Limits of this type are ignored.",
  },
  {
    xml: restrictions(`${control(RATE)}<RestrictionStatus MinAdvancedBookingOffset="9" MaxAdvancedBookingOffset="3"/>`),
    meaning: "The booking window is stored, but no day is within it, so guests can't book.",
  },
  {
    xml: restrictions(`${control(RATE)}<RestrictionStatus MaxAdvancedBookingOffset="P1M"/>`),
    meaning: "Booking windows are stored in days.",
  },
  {
    xml: amounts(base('AmountAfterTax="99.5" DecimalPlaces="2"') + base('NumberOfGuests="1" AmountAfterTax="120" DecimalPlaces="2"')),
    meaning: 'With `DecimalPlaces="2"`, `120` is 1.20. Send all amounts with a decimal point, or none.',
  },
  {
    xml: plans("", ' BaseRatePlanCode="RACK" AdjustedPercentage="-10"'),
    meaning: "The plan is stored. Send its amounts.",
  },
  { xml: amounts(base('AmountAfterTax="0"')), meaning: "A price of 0 is allowed outside AlpineBits." },
  {
    xml: amounts(base('NumberOfGuests="9" AmountAfterTax="100"')),
    meaning: "The category's maximum occupancy is lower than the number of guests.",
  },
  { xml: amounts(base('AmountAfterTax="100" CurrencyCode="USD"')), meaning: "The amounts are stored in the currency of the message." },
  {
    xml: delta(base('AmountAfterTax="100" CurrencyCode="USD"')),
    meaning: "A night has one currency, so its amounts in other currencies are removed.",
  },
  {
    xml: amounts(
      base('NumberOfGuests="2" AmountAfterTax="100"').replace(
        "</BaseByGuestAmts>",
        '<BaseByGuestAmt NumberOfGuests="2" AmountAfterTax="90"/>$&',
      ),
    ),
    meaning: "The line has two amounts for the same number and type of guests.",
  },
  { xml: amounts(base('AmountAfterTax="100" Type="20"')), meaning: "The amount is stored as a price per night." },
  { xml: amounts(`<Rate MinLOS="3">${AMOUNT}</Rate>`), meaning: "See [amounts for some stays only](#amounts-for-some-stays-only)." },
  {
    xml: amounts(`<Rate Status="Close">${AMOUNT}</Rate>`),
    meaning: "Close nights with `RestrictionStatus`. The amounts are stored.",
  },
  {
    xml: amounts(`<Rate>${AMOUNT}<AdditionalGuestAmounts><AdditionalGuestAmount Percent="50"/></AdditionalGuestAmounts></Rate>`),
    meaning: "Percentages are ignored. Amounts are stored.",
  },
  {
    xml: amounts(
      `<Rate>${AMOUNT}<AdditionalGuestAmounts><AdditionalGuestAmount Amount="5" MinAge="9" MaxAge="3"/></AdditionalGuestAmounts></Rate>`,
    ),
    meaning: "The amount is stored as sent, but never applies to a guest.",
  },
  {
    xml: amounts(`<Rate>${AMOUNT}</Rate>`).replace("<RateAmountMessages", '<UniqueID Type="16" ID="1" Instance="CompleteSet"/>$&'),
    meaning: "The message changes only the nights that it contains.",
  },
  {
    xml: plans(
      `<Rates><Rate><BaseByGuestAmts><BaseByGuestAmt Type="7" AmountAfterTax="100"/></BaseByGuestAmts></Rate>${datedRate(AMOUNT)}</Rates>`,
    ),
    meaning: "Send prices in rates with `Start` and `End`.",
  },
  { xml: plans("", ' RatePlanStatusType="Closed"'), meaning: "Close nights with a booking rule." },
  {
    xml: plans("", ' RatePlanNotifType="Remove"').replaceAll(plan, "OLD"),
    meaning: "The property doesn't have the plan that the message removes.",
  },
  {
    xml: rule('CodeContext="PACKAGE" Code="P1"', OPEN),
    meaning: "Rules can apply only to categories.",
  },
  {
    xml: rule(ROOM, `<DOW_Restrictions><AvailableDaysOfWeek Sun="0"/></DOW_Restrictions>${OPEN}`),
    meaning: "Only `ArrivalDaysOfWeek` and `DepartureDaysOfWeek` are stored.",
  },
  {
    xml: rooms('Code="TWN" ID="DBL"'),
    meaning: "The category was renamed. Its nights remain stored under the former code.",
  },
  {
    xml: rooms(`Code="${category}"`, '<Amenities><Amenity RoomAmenityCode="9999"/></Amenities>'),
    meaning: "The code is not in OpenTravel code list RMA.",
  },
  {
    xml: rooms(
      `Code="${category}"`,
      '<MultimediaDescriptions><MultimediaDescription InfoCode="23"><ImageItems><ImageItem><ImageFormat><URL>file.jpg</URL></ImageFormat></ImageItem></ImageItems></MultimediaDescription></MultimediaDescriptions>',
    ),
    meaning: "Send a complete URL.",
  },
  {
    xml: rooms(
      `Code="${category}"`,
      `<MultimediaDescriptions><MultimediaDescription InfoCode="25"><TextItems><TextItem><Description>${"Double room ".repeat(30)}</Description></TextItem></TextItems></MultimediaDescription></MultimediaDescriptions>`,
    ),
    meaning: "The name was too long, so it was shortened.",
  },
  {
    xml: rooms(`Code="${category}"/><GuestRoom`, ""),
    meaning: "Send a code for each room in `Code`, or in `RoomTypeCode` of `TypeRoom`.",
  },
  {
    xml: contents('<AffiliationInfo><Awards><Award Rating="95"/></Awards></AffiliationInfo>'),
    meaning: "Review scores are ignored.",
  },
];
