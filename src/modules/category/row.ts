import type { CategoryRow } from "../../db/schema.ts";
import type { Category } from "./category.ts";

/** A category as it is stored: flags as 0 or 1, absent as null. */
export function toRow(category: Category): CategoryRow {
  return {
    property: category.hotelCode,
    code: category.code,
    name: category.name,
    description: category.description ?? null,
    kind: category.kind,
    standard_occupancy: category.standardOccupancy,
    min_occupancy: category.minOccupancy,
    max_occupancy: category.maxOccupancy,
    max_adults: category.maxAdults ?? null,
    max_children: category.maxChildren ?? null,
    max_infants: category.maxInfants ?? null,
    rooms: category.rooms,
    room_names: category.roomNames ?? null,
    size: category.size ?? null,
    beds: category.beds ?? null,
    smoking: Number(category.smoking),
    accessible: Number(category.accessible),
    amenities: category.amenities ?? null,
    photos: category.photos ?? null,
    status: category.status,
    sort_order: category.sortOrder,
    version: category.version,
    created_at: category.createdAt,
    updated_at: category.updatedAt,
  };
}

/** The category that a row holds. */
export function fromRow(row: CategoryRow): Category {
  return {
    hotelCode: row.property,
    code: row.code,
    name: row.name,
    kind: row.kind,
    status: row.status,
    standardOccupancy: row.standard_occupancy,
    minOccupancy: row.min_occupancy,
    maxOccupancy: row.max_occupancy,
    maxAdults: row.max_adults ?? undefined,
    maxChildren: row.max_children ?? undefined,
    maxInfants: row.max_infants ?? undefined,
    rooms: row.rooms,
    roomNames: row.room_names ?? undefined,
    size: row.size ?? undefined,
    beds: row.beds ?? undefined,
    smoking: row.smoking === 1,
    accessible: row.accessible === 1,
    amenities: row.amenities ?? undefined,
    description: row.description ?? undefined,
    photos: row.photos ?? undefined,
    sortOrder: row.sort_order,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
