export class TruncatedError extends Error {
  override readonly name = "TruncatedError";
}

export class ByteWriter {
  #bytes = Buffer.allocUnsafeSlow(4_096);
  #at = 0;

  start(): void {
    this.#at = 0;
  }

  byte(value: number): void {
    if (this.#at === this.#bytes.length) this.#grow(1);
    this.#bytes[this.#at++] = value;
  }

  varint(value: number): void {
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.byte((rest % 128) + 128);
    this.byte(rest);
  }

  text(value: string): void {
    const length = Buffer.byteLength(value);
    this.varint(length);
    this.#grow(length);
    this.#at += this.#bytes.write(value, this.#at);
  }

  bytes(value: Uint8Array): void {
    this.varint(value.length);
    this.#grow(value.length);
    this.#bytes.set(value, this.#at);
    this.#at += value.length;
  }

  /** Returns a buffer with room for `count` bytes, starting at offset `at`. Call `advance` with the number of bytes written. */
  reserve(count: number): { bytes: Buffer; at: number } {
    this.#grow(count);
    return { bytes: this.#bytes, at: this.#at };
  }

  advance(count: number): void {
    this.#at += count;
  }

  take(): Uint8Array {
    return Buffer.from(this.#bytes.subarray(0, this.#at));
  }

  #grow(count: number): void {
    if (this.#at + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#at + count));
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
  }
}

/** Reads the output of a `ByteWriter`. Throws `TruncatedError` if the bytes end too early. */
export class ByteReader {
  readonly bytes: Buffer;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  byte(): number {
    return this.bytes[this.skip(1)]!;
  }

  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  text(): string {
    const length = this.varint();
    const start = this.skip(length);
    return this.bytes.toString("utf8", start, start + length);
  }

  /** Reads bytes written with `ByteWriter.bytes`. The result shares memory with the input. */
  byteArray(): Uint8Array {
    const length = this.varint();
    const start = this.skip(length);
    return this.bytes.subarray(start, start + length);
  }

  skip(count: number): number {
    const start = this.at;
    this.at += count;
    if (this.at > this.bytes.length) throw new TruncatedError(`${this.bytes.length} bytes end before byte ${this.at}`);
    return start;
  }
}
