/** A text about a rate plan or a piece of it; `name` is what it is, such as `title` or `intro`. */
export type PlanText = { name: string; language?: string; text: string };

/** A supplement or an offer as sent, with its texts; a supplement also with what it is for, and its days if it has any. */
export type PlanFragment = { xml: string; texts: readonly PlanText[]; key?: string; start?: string; end?: string };

/** A rate plan's data other than its nights: the column `details`, as JSON. */
export type PlanDetails = {
  /** The code that joined plans share (`RatePlanID`), and whether this plan is their master. */
  joinCode?: string;
  joinMaster?: boolean;
  /** OpenTravel rate plan type; 12 is a special offer. */
  type?: string;
  category?: string;
  /** `YYYY-MM-DD`, the days between which the plan is offered. */
  start?: string;
  end?: string;
  /** The length of stay that its amounts are for, unless a rate tells its own. */
  nights?: number;
  descriptions: PlanText[];
  supplements: PlanFragment[];
  offers: PlanFragment[];
};

const NO_DETAILS: PlanDetails = { descriptions: [], supplements: [], offers: [] };

/** Reads the column `details`, if there are any. */
export function parsePlanDetails(details: string | null | undefined): PlanDetails {
  return details ? { ...NO_DETAILS, ...(JSON.parse(details) as Partial<PlanDetails>) } : NO_DETAILS;
}
