import { setImmediate as nextTurn } from "node:timers/promises";
import { parseAmount } from "../../../calendar/amounts.ts";
import type { AttributeMap } from "../../../calendar/attributes.ts";
import type { Database } from "../../../db/database.ts";
import type { CategoryRow, PropertyRow, RatePlanRow } from "../../../db/schema.ts";
import { findBodies } from "../../../journal/messages.ts";
import { isPropertyCode, newPropertyForm } from "../../../records/property/property.ts";
import { findProperty, toRow } from "../../../records/property/store.ts";
import { findIdentity, type SenderIdentity, findHotelCode } from "./access.ts";
import { type AssumedDecision, decideAssumed, readLogged } from "./assumed-decision.ts";
import { listRefused, type RefusedMessage } from "./message-store.ts";
import { listKnownRecords } from "./record-store.ts";
import { translateRequest } from "./translated.ts";

/** A category as described by the sender's messages. A value is undefined if no message contains it. */
export type ProposedCategory = { code: string; row: CategoryRow | undefined; rooms: number | undefined; guests: number | undefined };
export type ProposedPlan = { code: string; name: string | undefined; currency: string | undefined; mealPlan: string | undefined };

/**
 * Records that a sender's refused messages refer to but that the property doesn't have. `row` is set if the property itself doesn't exist.
 */
export type PropertyProposal = {
  property: string;
  row: PropertyRow | undefined;
  /** Whether the sender can't access the property yet. */
  needsAccess: boolean;
  categories: readonly ProposedCategory[];
  plans: readonly ProposedPlan[];
};

/** Limits per property: how many messages to read, newest first, and the maximum size of each. */
const MAX_MESSAGES_READ = 20;
const MAX_BYTES = 1_000_000;

type ProposalQuery = { sender: string; now: number; upTo: number };

/** Reads the refused messages from the last 30 days, up to the ID `upTo`. Returns undefined if the sender does not exist. */
export async function readProposals(database: Database, { sender, now, upTo }: ProposalQuery): Promise<PropertyProposal[] | undefined> {
  const who = await findIdentity(database, sender);
  if (!who) return undefined;
  const refusedMessages = (await listRefused(database, { sender, now })).filter(({ id }) => id <= upTo);
  const byProperty = Map.groupBy(
    refusedMessages.filter((one) => findPropertyCode(one) !== undefined),
    (one) => findPropertyCode(one)!,
  );
  const proposals: PropertyProposal[] = [];
  for (const [code, own] of byProperty) proposals.push(await readProposal(database, { who, code, refused: own, now }));
  return proposals.filter(({ row, categories, plans }) => row !== undefined || categories.length + plans.length > 0);
}

/** Returns the property's code as sent if the message contains an unknown code. */
function findPropertyCode({ property, outcome, notes }: RefusedMessage): string | undefined {
  if (outcome === "unauthorised") return undefined;
  const unknownCodes = (notes?.errors ?? []).flatMap((error) => error.unknown ?? []);
  return unknownCodes.find(({ kind }) => kind === "property")?.code ?? (unknownCodes.length > 0 ? (property ?? undefined) : undefined);
}

type RefusalGroup = { who: SenderIdentity; code: string; refused: readonly RefusedMessage[]; now: number };

async function readProposal(database: Database, { who, code, refused, now }: RefusalGroup): Promise<PropertyProposal> {
  const storedProperty = await findProperty(database, code);
  const needsAccess = findHotelCode(who, code) === undefined;
  const collectedRecords = new CollectedRecords(storedProperty ? toRow(storedProperty) : newPropertyRow(code, now));
  // A sender can't propose records for an existing property to which it has no access.
  const readableMessages = storedProperty && needsAccess ? [] : refused.slice(0, MAX_MESSAGES_READ);
  const knownRecords = await listKnownRecords(database, code);
  for (const { id } of readableMessages) {
    const bodies = await findBodies(database, id);
    const message = bodies && bodies.bodies.request.length <= MAX_BYTES ? await readLogged(who, bodies) : undefined;
    if (!message) continue;
    const request = await translateRequest(database, message.request, { who, hotel: code });
    collectedRecords.setPropertyName(request.hotel.name);
    await nextTurn();
    collectedRecords.add(decideAssumed({ ...message, request }, { who, property: collectedRecords.property, ...knownRecords, now }));
  }
  const categories = collectedRecords.categories().filter((one) => !knownRecords.categories.some((row) => row.code === one.code));
  const plans = collectedRecords.plans().filter((one) => !knownRecords.plans.some((row) => row.code === one.code));
  return { property: code, row: storedProperty ? undefined : collectedRecords.property, needsAccess, categories, plans };
}

function newPropertyRow(code: string, now: number): PropertyRow {
  const fields = newPropertyForm.parse({ code: "NEW", name: isPropertyCode(code) ? code : "NEW" });
  return toRow({ ...fields, code, version: 1, createdAt: now, updatedAt: now });
}

/** Collects values for a property's records from several messages. The newest message comes first, and earlier values take precedence. */
class CollectedRecords {
  property: PropertyRow;
  readonly #categories = new Map<string, ProposedCategory>();
  readonly #plans = new Map<string, ProposedPlan>();
  #isNamed = false;
  #hasCurrency = false;

  constructor(property: PropertyRow) {
    this.property = property;
  }

  setPropertyName(name: string | undefined): void {
    if (name === undefined || this.#isNamed) return;
    this.property = { ...this.property, name };
    this.#isNamed = true;
  }

  add({ decision, unknown, refused }: AssumedDecision): void {
    const { property, plans = [], operations = [] } = decision;
    const categories = refused ? [] : (decision.categories ?? []);
    if (property && !refused) this.property = { ...property, known_plans_only: this.property.known_plans_only };
    for (const code of unknown) this.#category(code);
    for (const row of categories) this.#set(this.#categories, { ...this.#category(row.code), row: this.#category(row.code).row ?? row });
    for (const plan of plans) this.#addPlan(plan);
    for (const operation of operations) {
      if (operation.type !== "assign") continue;
      if (operation.kind === "inventory" && operation.lane === "") this.#addCounts(operation.category, operation.values);
      else if (operation.kind === "rate") this.#addAmounts(operation, operation.values);
    }
  }

  categories(): ProposedCategory[] {
    return [...this.#categories.values()];
  }

  plans(): ProposedPlan[] {
    return [...this.#plans.values()];
  }

  #category(code: string): ProposedCategory {
    return this.#categories.getOrInsertComputed(code, () => ({ code, row: undefined, rooms: undefined, guests: undefined }));
  }

  #set<Item extends { code: string }>(map: Map<string, Item>, item: Item): void {
    map.set(item.code, item);
  }

  #addPlan({ code, name, currency, meal_plan, status }: Partial<RatePlanRow> & { code: string }): void {
    if (status === "removed") return;
    const plan = this.#plans.get(code);
    this.#set(this.#plans, {
      code,
      name: plan?.name ?? name ?? undefined,
      currency: plan?.currency ?? currency ?? undefined,
      mealPlan: plan?.mealPlan ?? meal_plan ?? undefined,
    });
  }

  /** Gives the category at least as many rooms as the highest count that was sent. */
  #addCounts(code: string, values: AttributeMap): void {
    const available = values.get("available");
    if (typeof available !== "number") return;
    const category = this.#category(code);
    this.#set(this.#categories, { ...category, rooms: Math.max(category.rooms ?? 0, available) });
  }

  #addAmounts({ category: code, lane }: { category: string; lane: string }, values: AttributeMap): void {
    const guests = [...values.keys()].map((attribute) => parseAmount(attribute)?.guests ?? 0);
    const category = this.#category(code);
    const maxGuests = Math.max(category.guests ?? 0, ...guests);
    this.#set(this.#categories, { ...category, guests: maxGuests === 0 ? undefined : maxGuests });
    const currency = textValue(values, "currency");
    if (currency !== undefined && !this.#hasCurrency) {
      this.property = { ...this.property, currency };
      this.#hasCurrency = true;
    }
    const plan = this.#plans.get(lane);
    if (plan)
      this.#set(this.#plans, { ...plan, currency: plan.currency ?? currency, mealPlan: plan.mealPlan ?? textValue(values, "mealPlan") });
  }
}

function textValue(values: AttributeMap, name: "currency" | "mealPlan"): string | undefined {
  const value = values.get(name);
  return typeof value === "string" ? value : undefined;
}
