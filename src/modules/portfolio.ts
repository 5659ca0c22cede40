import type { PortfolioSources } from "../grid/context.ts";
import { STATUSES } from "../records/property/choices.ts";
import { listGroupsAndCountries, listPortfolio, listWholePortfolio } from "../records/property/list-store.ts";

export const PORTFOLIO: PortfolioSources = {
  statuses: STATUSES,
  listPage: listPortfolio,
  listAll: listWholePortfolio,
  listGroupsAndCountries,
};
