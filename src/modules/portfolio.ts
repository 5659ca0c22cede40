import type { PortfolioSources } from "../grid/context.ts";
import { PROPERTY_STATUSES } from "../records/property/choices.ts";
import { listGroupsAndCountries, listPortfolio, listWholePortfolio } from "../records/property/list-store.ts";
import { listViews } from "../records/saved-views.ts";

export const PORTFOLIO_SOURCES: PortfolioSources = {
  statuses: PROPERTY_STATUSES,
  listPage: listPortfolio,
  listAll: listWholePortfolio,
  listGroupsAndCountries,
  listViews,
};
