/** Joins the chunks of a body. It holds at most twice what arrived, whatever length was announced. */
export class Gathered {
  readonly #announced: number;
  #bytes: Uint8Array = new Uint8Array();
  length = 0;

  constructor(announced: number) {
    this.#announced = announced;
  }

  add(chunk: Uint8Array): void {
    const length = this.length + chunk.byteLength;
    if (this.length === 0) this.#bytes = chunk;
    else {
      if (length > this.#bytes.byteLength) this.#grow(length);
      this.#bytes.set(chunk, this.length);
    }
    this.length = length;
  }

  #grow(length: number): void {
    const size = Math.max(length, Math.min(2 * this.length, this.#announced || Infinity));
    const grown = Buffer.allocUnsafeSlow(size);
    grown.set(this.bytes());
    this.#bytes = grown;
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }
}
