/** Names in OpenTravel code list MPT (meal plan type). Codes up to `LAST_MEAL_PLAN` that have no name are also valid. */
export const MEAL_PLANS: Readonly<Record<string, string>> = {
  1: "all inclusive",
  2: "American plan",
  3: "bed and breakfast",
  4: "buffet breakfast",
  5: "Caribbean breakfast",
  6: "continental breakfast",
  7: "English breakfast",
  8: "European plan",
  9: "family plan",
  10: "full board",
  11: "full breakfast",
  12: "half board",
  13: "as brochured",
  14: "room only",
  15: "self-catering",
  16: "Bermuda plan",
  17: "dinner, bed and breakfast",
  18: "family American plan",
  19: "breakfast",
  20: "modified plan",
  21: "lunch",
  22: "dinner",
  23: "breakfast and lunch",
  24: "lunch and dinner",
};

export const LAST_MEAL_PLAN = 27;
