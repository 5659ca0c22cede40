import type { Attributes } from "../../../../xml/handler.ts";
import type { HotelRequest, Message, MessageReader, ReadContext } from "../../message.ts";
import { fieldMissing, note, ruleBroken } from "../../ota-error.ts";
import type { ElementContext } from "../../report.ts";
import { checkContents } from "../descriptive-content-notif/check.ts";
import { newHotelReference, readHotel } from "../parts/hotel.ts";
import { decideProducts } from "./decide.ts";
import { examples } from "./examples.ts";
import { ProductReader } from "./product-reader.ts";
import { type ParsedProduct, readProduct } from "./product.ts";

/** Creates, updates and deactivates categories, in the format of Booking.com and Ctrip clients. */
export const invNotif: Message = {
  root: "OTA_HotelInvNotifRQ",
  about: "Creates, updates and deactivates categories as sellable products with their names, occupancies, types, sizes and amenities.",
  actions: [],
  hotelElements: ["SellableProducts"],
  read: (context) => new ProductsReader(context),
  examples,
};

class ProductsReader implements MessageReader {
  readonly #context: ReadContext;
  readonly #hotel = newHotelReference();
  readonly #products: ParsedProduct[] = [];
  #reader: ProductReader | undefined;
  /** Nesting depth inside a skipped element; 0 outside one. */
  #skipped = 0;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  open(name: string, attributes: Attributes, offset: number): void {
    if (this.#skipped > 0) return void this.#skipped++;
    const reading = { attributes, report: this.#context.report, at: { offset, record: undefined } };
    if (this.#reader) {
      if (!this.#reader.open(name, reading)) this.#skipped = 1;
    } else if (name === "SellableProduct") this.#openProduct(reading);
    else if (name === "SellableProducts") readHotel(this.#hotel, reading);
    else if (name !== "OTA_HotelInvNotifRQ") {
      this.#skipped = 1;
      reading.report.warn(note(`${name} is not stored`), reading.at);
    }
  }

  close(name: string): void {
    if (this.#skipped > 0) return void this.#skipped--;
    this.#reader?.close(name);
    if (name === "SellableProduct") this.#reader = undefined;
  }

  text(text: string): void {
    if (this.#skipped === 0) this.#reader?.text(text);
  }

  finish(): HotelRequest {
    const { report } = this.#context;
    const products = this.#products.filter(({ room }) => room.code !== undefined);
    if (this.#products.length === 0) report.error(fieldMissing("SellableProduct"), this.#hotel.at);
    reportRepeated(products, report);
    const remainingProducts = products.filter(({ isRemoved }) => !isRemoved);
    const categories = remainingProducts.map(({ room }) => ({ room, individualRooms: [], clearsMissingFields: false }));
    checkContents({ hotel: this.#hotel, hasList: true, parts: [], rooms: [] }, categories, report);
    return {
      kind: "hotel",
      hotel: this.#hotel,
      lines: this.#products.length,
      pages: [],
      decide: (context) => decideProducts(products, context),
    };
  }

  #openProduct(reading: ElementContext): void {
    const product = readProduct(reading);
    this.#products.push(product);
    this.#reader = new ProductReader(product);
  }
}

function reportRepeated(products: readonly ParsedProduct[], report: ReadContext["report"]): void {
  const seen = new Set<string | undefined>();
  for (const { room } of products) {
    if (seen.has(room.code)) report.error(ruleBroken(`SellableProduct ${room.code} appears twice`), room.at);
    seen.add(room.code);
  }
}
