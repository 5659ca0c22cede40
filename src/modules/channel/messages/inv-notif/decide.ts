import type { CategoryRow } from "../../../../db/schema.ts";
import { formatNumber } from "../../../../web/parts/amount.ts";
import { writeElement, writeEmptyElement } from "../../../../xml/write.ts";
import type { Decision, DecisionContext } from "../../message.ts";
import { roomTypeNotFound } from "../../ota-error.ts";
import { recordChanges, decideSentCategories, toEditedRow } from "../descriptive-content-notif/decide.ts";
import type { ParsedProduct } from "./product.ts";

/** Creates and updates categories like `OTA_HotelDescriptiveContentNotifRQ`, and deactivates removed ones. */
export function decideProducts(products: readonly ParsedProduct[], context: DecisionContext): Decision {
  const categories = products
    .filter(({ isRemoved }) => !isRemoved)
    .map(({ room }) => ({ room, individualRooms: [], clearsMissingFields: false }));
  const removedChanges = recordChanges(
    products.flatMap((product) => (product.isRemoved ? deactivatedRows(product, context) : [])),
    context,
  );
  const decision = categories.length > 0 ? decideSentCategories(categories, context) : undefined;
  const words = [
    decision?.summary,
    removedChanges.categories.length > 0 ? `${formatNumber(removedChanges.categories.length)} deactivated` : undefined,
  ];
  return {
    summary: words.filter((word) => word !== undefined).join("; ") || "Nothing to store",
    categories: [...(decision?.categories ?? []), ...removedChanges.categories],
    history: [...(decision?.history ?? []), ...removedChanges.history],
    content: writeCodes(products),
  };
}

function deactivatedRows({ room: { code, at } }: ParsedProduct, context: DecisionContext): CategoryRow[] {
  const storedCategory = context.categories.get(code!);
  if (!storedCategory) context.report.error(roomTypeNotFound(code!), at);
  return storedCategory?.status === "active" ? [toEditedRow(storedCategory, { ...storedCategory, status: "inactive" }, context)] : [];
}

/** Confirms each product with the sender's own codes. */
function writeCodes(products: readonly ParsedProduct[]): string {
  const codes = products.map(({ room: { code } }) =>
    writeEmptyElement("InventoryCrossRef", { RequestInvCode: code, ResponseInvCode: code }),
  );
  return writeElement("InventoryCrossRefs", {}, codes.join(""));
}
