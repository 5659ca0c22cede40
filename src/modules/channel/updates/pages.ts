import { type PageKind, pageKind } from "../../../calendar/attributes.ts";
import { type PageRequest, requestKey } from "../../../journal/work.ts";
import { ALL_NIGHTS, groupsIn, type WeekdayRange, type Update } from "./update.ts";

/** If `category` or `lane` is undefined, all categories or lanes are included. */
type PageSelector = { kind: PageKind; category: string | undefined; lane: string | undefined };

type RangeBounds = Pick<WeekdayRange, "first" | "last">;

/** Collects the pages that a message may change, with one request per category and lane, from the first to the last night. */
export class PageSet {
  readonly #requests = new Map<string, PageRequest>();
  /** The last request. It often matches again, because most lines are sorted by category. */
  #last: PageRequest | undefined;

  add(pages: PageSelector, { first, last }: RangeBounds): void {
    if (!this.#last || !isSamePage(this.#last, pages)) this.#last = this.#requestFor(pages, { first, last });
    this.#last.first = Math.min(this.#last.first, first);
    this.#last.last = Math.max(this.#last.last, last);
  }

  addUpdate({ target: { category, room, plan = "", isOnlyCategory }, nights, set, amounts }: Update): void {
    if (!nights) return;
    if (isOnlyCategory) this.add({ kind: "rate", category, lane: plan }, ALL_NIGHTS);
    const groups = groupsIn(set);
    const setsRates = amounts !== undefined || groups.some((group) => pageKind(group) === "rate");
    // A booking limit with a plan may set that plan's allotment.
    if (setsRates || plan !== "") this.add({ kind: "rate", category, lane: plan }, nights);
    if (!groups.some((group) => pageKind(group) === "inventory")) return;
    // A count for an individual room clears the category's own count.
    this.add({ kind: "inventory", category, lane: "" }, nights);
    if (room !== undefined) this.add({ kind: "inventory", category, lane: room }, nights);
  }

  /** Adds all of the property's pages, because a complete set may clear any of them. */
  addAllPages(): void {
    for (const kind of ["inventory", "rate"] as const) this.add({ kind, category: undefined, lane: undefined }, ALL_NIGHTS);
  }

  list(): readonly PageRequest[] {
    return [...this.#requests.values()];
  }

  #requestFor(pages: PageSelector, range: RangeBounds): PageRequest {
    return this.#requests.getOrInsertComputed(requestKey(pages), () => ({ ...pages, ...range }));
  }
}

function isSamePage(one: PageRequest, other: PageSelector): boolean {
  return one.category === other.category && one.lane === other.lane && one.kind === other.kind;
}
