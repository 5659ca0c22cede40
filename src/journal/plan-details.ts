export type PlanText = { name: string; language?: string; text: string };

/** A supplement or offer as received. `key` identifies a supplement; `start` and `end` are its dates. */
export type PlanFragment = { xml: string; texts: readonly PlanText[]; key?: string; start?: string; end?: string };

export type PlanDetails = {
  /** `RatePlanID` shared by joined plans, and whether this plan is the master. */
  joinCode?: string;
  joinMaster?: boolean;
  /** OpenTravel rate plan type; 12 is a special offer. */
  type?: string;
  category?: string;
  start?: string;
  end?: string;
  /** Default length of stay for the plan's amounts. */
  nights?: number;
  descriptions: PlanText[];
  supplements: PlanFragment[];
  offers: PlanFragment[];
};

const NO_DETAILS: PlanDetails = { descriptions: [], supplements: [], offers: [] };

export function parsePlanDetails(details: string | null | undefined): PlanDetails {
  return details ? { ...NO_DETAILS, ...(JSON.parse(details) as Partial<PlanDetails>) } : NO_DETAILS;
}
