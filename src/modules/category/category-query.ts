import { isCategoryStatus } from "../../records/category/category.ts";
import { CATEGORY_SORTS, type CategoryQuery } from "../../records/category/list-store.ts";
import { readTyped } from "../../web/form.ts";
import type { FormState } from "../../web/parts/fields.ts";
import { type ListQuery, readListQuery } from "../../web/parts/list.ts";
import { parsedWith, readFilters } from "../../web/read-filters.ts";

const fieldSchemas = {
  status: parsedWith((text) => (isCategoryStatus(text) ? text : undefined), "Choose a status: active or inactive"),
};

export type CategoryListQuery = CategoryQuery & ListQuery & FormState;

export function readCategoryQuery(query: unknown): CategoryListQuery {
  const typed = readTyped(query);
  const { filters, faults } = readFilters(fieldSchemas, typed);
  return { ...readListQuery(query, CATEGORY_SORTS), ...filters, hotelCode: typed.hotelCode ?? "", typed, faults };
}
