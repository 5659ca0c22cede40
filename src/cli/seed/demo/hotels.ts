/** High season: winter for `snow`, summer for `sea`, all year for `city`. */
export type Season = "snow" | "sea" | "city";

/** `group` is empty for an independent hotel. `base` is the price of a double room on an ordinary night, in whole currency units. */
export type Hotel = {
  code: string;
  name: string;
  city: string;
  country: string;
  timeZone: string;
  currency: string;
  group: string;
  season: Season;
  base: number;
  stars: string;
};

type HotelLocation = readonly [country: string, timeZone: string, currency: string, season: Season];

const ITALY_LOCATION = ["IT", "Europe/Rome", "EUR"] as const;
const AUSTRIA_LOCATION = ["AT", "Europe/Vienna", "EUR"] as const;
const SWITZERLAND_LOCATION = ["CH", "Europe/Zurich", "CHF"] as const;

const HOTEL_LOCATIONS: Readonly<Record<string, HotelLocation>> = {
  Merano: [...ITALY_LOCATION, "snow"],
  Cortina: [...ITALY_LOCATION, "snow"],
  Innsbruck: [...AUSTRIA_LOCATION, "snow"],
  Kitzbühel: [...AUSTRIA_LOCATION, "snow"],
  Davos: [...SWITZERLAND_LOCATION, "snow"],
  Zermatt: [...SWITZERLAND_LOCATION, "snow"],
  Garmisch: ["DE", "Europe/Berlin", "EUR", "snow"],
  Chamonix: ["FR", "Europe/Paris", "EUR", "snow"],
  Split: ["HR", "Europe/Zagreb", "EUR", "sea"],
  Cascais: ["PT", "Europe/Lisbon", "EUR", "sea"],
  Naxos: ["GR", "Europe/Athens", "EUR", "sea"],
  Amalfi: [...ITALY_LOCATION, "sea"],
  Bergen: ["NO", "Europe/Oslo", "NOK", "sea"],
  Galway: ["IE", "Europe/Dublin", "EUR", "sea"],
  Brighton: ["GB", "Europe/London", "GBP", "sea"],
  Vienna: [...AUSTRIA_LOCATION, "city"],
  Prague: ["CZ", "Europe/Prague", "CZK", "city"],
  Berlin: ["DE", "Europe/Berlin", "EUR", "city"],
  Lyon: ["FR", "Europe/Paris", "EUR", "city"],
  Edinburgh: ["GB", "Europe/London", "GBP", "city"],
};

/** Approximate exchange rates for one euro. */
const EXCHANGE_RATES: Readonly<Record<string, number>> = { EUR: 1, CHF: 1, GBP: 0.85, NOK: 11, CZK: 25 };

type HotelLine = readonly [code: string, name: string, city: string, base: number, stars: string];

const ALPINE_HOTELS: readonly HotelLine[] = [
  ["ALP01", "Hotel Alpenblick", "Merano", 120, "4"],
  ["ALP02", "Berghotel Sonnspitz", "Innsbruck", 135, "4"],
  ["ALP03", "Pension Linde", "Kitzbühel", 95, "3"],
  ["ALP04", "Chalet Edelweiss", "Davos", 210, "5"],
  ["ALP05", "Hotel Matterblick", "Zermatt", 240, "5"],
  ["ALP06", "Gasthof Zur Post", "Garmisch", 88, "3"],
  ["ALP07", "Albergo Tofana", "Cortina", 165, "4"],
  ["ALP08", "Hôtel des Aiguilles", "Chamonix", 150, "4"],
  ["ALP09", "Alpenrose Lodge", "Innsbruck", 110, "3"],
  ["ALP10", "Hotel Waldhaus", "Davos", 180, "4"],
  ["ALP11", "Residence Dolomiti", "Merano", 90, "3"],
  ["ALP12", "Hotel Hahnenkamm", "Kitzbühel", 195, "5"],
];

const HARBOUR_HOTELS: readonly HotelLine[] = [
  ["HAR01", "Harbour House", "Galway", 115, "4"],
  ["HAR02", "The Old Lighthouse", "Brighton", 130, "4"],
  ["HAR03", "Hotel Riva", "Split", 125, "4"],
  ["HAR04", "Villa Atlântico", "Cascais", 145, "4"],
  ["HAR05", "Aegean View", "Naxos", 98, "3"],
  ["HAR06", "Bryggen Hotel", "Bergen", 140, "4"],
  ["HAR07", "Palazzo Amalfitano", "Amalfi", 220, "5"],
  ["HAR08", "Seaside Rooms", "Brighton", 80, "2"],
  ["HAR09", "Marina Apartments", "Split", 92, "3"],
  ["HAR10", "Quay Street Inn", "Galway", 85, "3"],
  ["HAR11", "Casa do Mar", "Cascais", 105, "3"],
];

const CITY_HOTELS: readonly HotelLine[] = [
  ["CTY01", "Hotel am Naschmarkt", "Vienna", 128, "4"],
  ["CTY02", "The Powder Tower", "Prague", 96, "4"],
  ["CTY03", "Hotel Spree", "Berlin", 112, "4"],
  ["CTY04", "Maison Bellecour", "Lyon", 118, "4"],
  ["CTY05", "Royal Mile Rooms", "Edinburgh", 122, "3"],
  ["CTY06", "Station Hotel", "Berlin", 74, "2"],
  ["CTY07", "Hotel Belvedere", "Vienna", 175, "5"],
  ["CTY08", "Charles Bridge House", "Prague", 84, "3"],
  ["CTY09", "Le Petit Saône", "Lyon", 79, "2"],
  ["CTY10", "Old Town Suites", "Edinburgh", 160, "4"],
];

const INDEPENDENT_HOTELS: readonly HotelLine[] = [
  ["IND01", "The Old Mill", "Galway", 90, "3"],
  ["IND02", "Villa Rosa", "Merano", 105, "3"],
  ["IND03", "Casa Verde", "Amalfi", 135, "4"],
  ["IND04", "Fjordgården", "Bergen", 95, "3"],
  ["IND05", "Hotel Aurora", "Chamonix", 110, "3"],
  ["IND06", "Guesthouse Petrov", "Prague", 55, "2"],
  ["IND07", "Blue Shutters", "Naxos", 70, "2"],
];

function toHotels(group: string, lines: readonly HotelLine[]): Hotel[] {
  return lines.map(([code, name, city, euros, stars]) => {
    const [country, timeZone, currency, season] = HOTEL_LOCATIONS[city]!;
    return { code, name, city, country, timeZone, currency, group, season, base: Math.round(euros * EXCHANGE_RATES[currency]!), stars };
  });
}

export const HOTELS: readonly Hotel[] = [
  ...toHotels("Alpine Collection", ALPINE_HOTELS),
  ...toHotels("Harbour Hotels", HARBOUR_HOTELS),
  ...toHotels("City Nights", CITY_HOTELS),
  ...toHotels("", INDEPENDENT_HOTELS),
];

/** `factor` is the price relative to a double room. */
export type RoomType = { code: string; name: string; kind: string; guests: number; rooms: number; factor: number };

const ROOM_TYPES: readonly RoomType[] = [
  { code: "DBL", name: "Double room", kind: "room", guests: 2, rooms: 18, factor: 1 },
  { code: "SGL", name: "Single room", kind: "room", guests: 1, rooms: 8, factor: 0.75 },
  { code: "FAM", name: "Family room", kind: "room", guests: 4, rooms: 6, factor: 1.5 },
  { code: "STE", name: "Suite", kind: "suite", guests: 2, rooms: 3, factor: 2.1 },
  { code: "APT", name: "Apartment", kind: "apartment", guests: 4, rooms: 4, factor: 1.8 },
];

/** Returns a hotel's room types. Every hotel has double rooms. Higher-rated hotels have more types. */
export function roomTypesFor({ stars }: Hotel): readonly RoomType[] {
  return ROOM_TYPES.slice(0, Math.max(2, Math.min(ROOM_TYPES.length, Number(stars))));
}

/** `factor` is relative to the price of the best available rate. */
export const RATE_PLANS = [
  { code: "BAR", name: "Best available rate", factor: 1 },
  { code: "NRF", name: "Non-refundable", factor: 0.88 },
] as const;

/** Price factors from January to December. */
export const SEASON_FACTORS: Readonly<Record<Season, readonly number[]>> = {
  snow: [1.35, 1.5, 1.25, 0.85, 0.75, 0.95, 1.15, 1.2, 0.95, 0.8, 0.75, 1.4],
  sea: [0.7, 0.7, 0.8, 0.95, 1.1, 1.35, 1.6, 1.65, 1.25, 0.95, 0.75, 0.85],
  city: [0.85, 0.85, 0.95, 1.05, 1.15, 1.1, 1, 1, 1.15, 1.1, 0.95, 1.2],
};

export const WEEKEND_FACTOR = 1.15;
