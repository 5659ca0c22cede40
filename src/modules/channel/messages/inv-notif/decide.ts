import type { CategoryRow } from "../../../../db/schema.ts";
import { amount } from "../../../../web/parts/amount.ts";
import { element, leaf } from "../../../../xml/write.ts";
import type { Decision, DecisionContext } from "../../message.ts";
import { roomTypeNotFound } from "../../ota-error.ts";
import { changesOf, decideSent, edited } from "../descriptive-content-notif/decide.ts";
import type { ProductRead } from "./product.ts";

/** Creates and updates categories like `OTA_HotelDescriptiveContentNotifRQ`, and deactivates removed ones. */
export function decideProducts(products: readonly ProductRead[], context: DecisionContext): Decision {
  const kept = products.filter(({ isRemoved }) => !isRemoved).map(({ room }) => ({ room, singles: [], isWhole: false }));
  const removed = changesOf(
    products.flatMap((product) => (product.isRemoved ? deactivated(product, context) : [])),
    context,
  );
  const stored = kept.length > 0 ? decideSent(kept, context) : undefined;
  const words = [stored?.summary, removed.categories.length > 0 ? `${amount(removed.categories.length)} deactivated` : undefined];
  return {
    summary: words.filter((word) => word !== undefined).join("; ") || "Nothing to store",
    categories: [...(stored?.categories ?? []), ...removed.categories],
    history: [...(stored?.history ?? []), ...removed.history],
    content: writeCodes(products),
  };
}

function deactivated({ room: { code, at } }: ProductRead, context: DecisionContext): CategoryRow[] {
  const known = context.categories.get(code!);
  if (!known) context.report.error(roomTypeNotFound(code!), at);
  return known?.status === "active" ? [edited(known, { ...known, status: "inactive" }, context)] : [];
}

/** Confirms the products with the sender's own codes. */
function writeCodes(products: readonly ProductRead[]): string {
  const codes = products.map(({ room: { code } }) => leaf("InventoryCrossRef", { RequestInvCode: code, ResponseInvCode: code }));
  return element("InventoryCrossRefs", {}, codes.join(""));
}
