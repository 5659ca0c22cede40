import type { HotelReference } from "../../message.ts";
import type { SourceLocation } from "../../report.ts";
import type { ParsedProperty } from "./property-read.ts";

export type RoomDescription = { at: SourceLocation; language: string | undefined; format: string | undefined; text: string };

export type Picture = { at: SourceLocation; category: string | undefined; url: string | undefined; texts: RoomDescription[] };

/** A `MultimediaDescription`. `texts` come from `TextItems`, `pictures` from `ImageItems`. */
export type Media = {
  at: SourceLocation;
  infoCode: string | undefined;
  texts: RoomDescription[] | undefined;
  pictures: Picture[] | undefined;
};

export type GuestRoom = {
  at: SourceLocation;
  code: string | undefined;
  /** Position of the first `TypeRoom`. */
  typeRoom: SourceLocation | undefined;
  typeCode: string | undefined;
  id: string | undefined;
  minOccupancy: number | undefined;
  maxOccupancy: number | undefined;
  maxChildren: number | undefined;
  maxAdults: number | undefined;
  /** Used as the name if there is no long name. */
  typeName: string | undefined;
  standardOccupancy: number | undefined;
  classification: number | undefined;
  roomType: string | undefined;
  size: number | undefined;
  roomId: string | undefined;
  amenities: (string | undefined)[] | undefined;
  media: Media[];
  mediaLists: number;
};

export function emptyRoom(at: SourceLocation): GuestRoom {
  return {
    at,
    code: undefined,
    typeRoom: undefined,
    typeCode: undefined,
    id: undefined,
    minOccupancy: undefined,
    maxOccupancy: undefined,
    maxChildren: undefined,
    maxAdults: undefined,
    typeName: undefined,
    standardOccupancy: undefined,
    classification: undefined,
    roomType: undefined,
    size: undefined,
    roomId: undefined,
    amenities: undefined,
    media: [],
    mediaLists: 0,
  };
}

/** A category and the individual rooms that follow it. `clearsMissingFields` means that fields missing from the message are cleared. */
export type ParsedCategory = { room: GuestRoom; individualRooms: GuestRoom[]; clearsMissingFields: boolean };

export function roomNames({ room, individualRooms }: Pick<ParsedCategory, "room" | "individualRooms">): ReadonlySet<string> {
  return new Set([room, ...individualRooms].map(({ roomId }) => roomId).filter((name) => name !== undefined));
}

export type PropertyContents = {
  hotel: HotelReference;
  /** Whether the message contains `GuestRooms`, even if empty. */
  hasList: boolean;
  rooms: GuestRoom[];
  /** Elements that describe the property itself. */
  parts: { name: string; at: SourceLocation }[];
  property: ParsedProperty;
  /** Whether the AlpineBits action is Info, which does not define categories. */
  isInfo: boolean;
};

export function isIndividualRoom({ roomId, minOccupancy, maxOccupancy, standardOccupancy, classification }: GuestRoom): boolean {
  return roomId !== undefined && [minOccupancy, maxOccupancy, standardOccupancy, classification].every((value) => value === undefined);
}
