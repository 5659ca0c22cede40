/** A message format other than OpenTravel. `marker` matches its messages; the other patterns match codes and dates in them. */
export type ProprietaryFormat = { marker: RegExp; hotel: RegExp; categories: RegExp; plans: RegExp; nights: RegExp };

const PROPRIETARY_FORMATS: readonly ProprietaryFormat[] = [
  {
    marker: /^\s*\{/,
    hotel: /"property_id"\s*:\s*"([^"]*)"/g,
    categories: /"room_type_id"\s*:\s*"([^"]*)"/g,
    plans: /"rate_plan_id"\s*:\s*"([^"]*)"/g,
    nights: /"date(?:_from|_to)?"\s*:\s*"([\d-]{10})"/g,
  },
  {
    marker: /<AvailRateUpdateRQ\b/,
    hotel: /<Hotel\b[^>]*?\sid\s*=\s*["']([^"']*)["']/g,
    categories: /<RoomType\b[^>]*?\sid\s*=\s*["']([^"']*)["']/g,
    plans: /<RatePlan\b[^>]*?\sid\s*=\s*["']([^"']*)["']/g,
    nights: /\s(?:from|to)\s*=\s*["']([\d-]{10})/g,
  },
  {
    marker: /<Transaction\b/,
    hotel: /<Property>([^<]*)</g,
    categories: /<RoomID>([^<]*)</g,
    plans: /<PackageID>([^<]*)</g,
    nights: /(?!)/g,
  },
];

/** Finds the format of a message. Returns undefined for OpenTravel messages. */
export function findProprietaryFormat(text: string): ProprietaryFormat | undefined {
  return PROPRIETARY_FORMATS.find(({ marker }) => marker.test(text));
}
