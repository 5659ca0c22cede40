import { formatNight, type Night, weekdayIndex } from "../calendar/night.ts";

export type Day = {
  iso: string;
  weekday: string;
  date: number;
  month: string;
  weekend: boolean;
  today: boolean;
  past: boolean;
};

export const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];

export function daysFrom(first: Night, count: number, today: Night): Day[] {
  return Array.from({ length: count }, (_, index) => toDay(first + index, today));
}

export function toDay(night: Night, today: Night): Day {
  const iso = formatNight(night);
  const weekday = WEEKDAYS[weekdayIndex(night)]!;
  return {
    iso,
    weekday,
    date: Number(iso.slice(8)),
    month: `${MONTHS[Number(iso.slice(5, 7)) - 1]} ${iso.slice(0, 4)}`,
    weekend: isWeekend(weekday),
    today: night === today,
    past: night < today,
  };
}

export function dayClass({ today, past }: Day): string {
  if (today) return "today";
  return past ? "past" : "";
}

export function dayText(day: Day): string {
  return `${day.weekday} ${day.date} ${day.month}`;
}

/** Hotels count Friday and Saturday nights as the weekend. */
export function isWeekend(weekday: string): boolean {
  return weekday === "Fri" || weekday === "Sat";
}
