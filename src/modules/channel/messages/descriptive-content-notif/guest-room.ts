import type { HotelReference } from "../../message.ts";
import type { Place } from "../../report.ts";

/** A text in one language; `format` is `PlainText` or `HTML`. */
export type Description = { at: Place; language: string | undefined; format: string | undefined; text: string };

/** A picture and its OpenTravel picture category (PIC). */
export type Picture = { at: Place; category: string | undefined; url: string | undefined; texts: Description[] };

/** One `MultimediaDescription`; `texts` come from `TextItems`, `pictures` from `ImageItems`. */
export type Media = { at: Place; infoCode: string | undefined; texts: Description[] | undefined; pictures: Picture[] | undefined };

/** One `GuestRoom`: a category, or a single room of one. */
export type GuestRoom = {
  at: Place;
  code: string | undefined;
  /** The former code of the category. */
  id: string | undefined;
  minOccupancy: number | undefined;
  maxOccupancy: number | undefined;
  maxChildren: number | undefined;
  maxAdults: number | undefined;
  /** Used if there is no long name. */
  typeName: string | undefined;
  standardOccupancy: number | undefined;
  classification: number | undefined;
  roomType: string | undefined;
  size: number | undefined;
  roomId: string | undefined;
  amenities: (string | undefined)[] | undefined;
  media: Media[];
  /** Number of `MultimediaDescriptions`. */
  mediaLists: number;
};

/** A category and the single rooms that follow it. */
export type CategoryRead = { room: GuestRoom; singles: GuestRoom[] };

export function roomNamesOf({ room, singles }: CategoryRead): ReadonlySet<string> {
  return new Set([room, ...singles].map(({ roomId }) => roomId).filter((name) => name !== undefined));
}

export type Contents = {
  hotel: HotelReference;
  /** Whether the message has `GuestRooms`, even if empty. */
  hasList: boolean;
  rooms: readonly GuestRoom[];
  /** Elements of the action Info. */
  foreign: readonly { name: string; at: Place }[];
};

export function isSingle({ roomId, minOccupancy, maxOccupancy, standardOccupancy, classification }: GuestRoom): boolean {
  return roomId !== undefined && [minOccupancy, maxOccupancy, standardOccupancy, classification].every((value) => value === undefined);
}
