import { formatNight, todayIn } from "../../../calendar/night.ts";
import { listCategoryBriefs } from "../../../records/category/store.ts";
import { listProperties, type PropertyListItem } from "../../../records/property/list-store.ts";
import { findProperty } from "../../../records/property/store.ts";
import type { Example, ExampleCodes } from "../../channel/example.ts";
import { publishedMessages } from "../../channel/messages/index.ts";
import { presetExamples } from "../../channel/profiles/presets.ts";
import type { DevDeps } from "../needs.ts";

export function findExample(name: string): Example | undefined {
  return [...publishedMessages.flatMap(({ examples }) => examples), ...presetExamples].find((example) => example.name === name);
}

export type ExampleHotel = { code: string; name: string };

const MAX_HOTELS = 100;

export async function exampleHotels(services: DevDeps): Promise<ExampleHotel[]> {
  return (await firstHotels(services)).map(({ code, name }) => ({ code, name }));
}

export async function exampleHotel(services: DevDeps): Promise<string> {
  const hotels = await firstHotels(services);
  const readyHotel = hotels.find(({ status, categories }) => status !== "inactive" && status !== "archived" && categories > 0);
  return (readyHotel ?? hotels[0])?.code ?? "";
}

async function firstHotels({ database }: DevDeps): Promise<readonly PropertyListItem[]> {
  return (await listProperties(database, { q: "", sort: "name", direction: "asc", page: 1, size: MAX_HOTELS })).lines;
}

/** Returns the codes of the property and its first active category. Returns sample codes if the property doesn't exist. */
export async function exampleCodes({ database, clock }: DevDeps, hotel: string): Promise<ExampleCodes> {
  const [property, categories] = await Promise.all([findProperty(database, hotel), listCategoryBriefs(database, hotel)]);
  const today = todayIn(property?.timeZone ?? "UTC", clock.now());
  const category = categories.find(({ status }) => status === "active");
  return {
    hotel: property?.code ?? "HOTEL1",
    category: category?.code ?? "DBL",
    plan: "BAR",
    currency: property?.currency ?? "EUR",
    day: (days) => formatNight(today + days),
  };
}
