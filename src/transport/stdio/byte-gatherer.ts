const SMALLEST = 4_096;
/** A buffer beyond this is not kept for the next message. */
const KEPT = 65_536;

/** Bytes of one message that arrives in pieces; grows by doubling, so that byte-by-byte writers cost no more. */
export class ByteGatherer {
  #bytes = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(piece: Uint8Array): void {
    const needed = this.#length + piece.length;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2, SMALLEST));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.#length);
    this.#length = needed;
  }

  /** The bytes so far; valid until the next `add`. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.clear();
    return taken;
  }

  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > KEPT) this.#bytes = Buffer.alloc(0);
  }
}
