/** The bytes do not follow the image format. The message is for the caller of the API. */
export class BrokenImage extends Error {}

/** No image of 4 MB has nearly as many parts. Without a limit, a hostile image of tiny parts would fill the memory. */
const maxSteps = 200_000;

/** Reads bytes from start to end, and never past the end. */
export class ByteReader {
  readonly #bytes: Buffer;
  #position = 0;
  #steps = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.#bytes.length - this.#position;
  }

  take(length: number): Buffer {
    if (length > this.left) throw new BrokenImage('The image is incomplete.');
    if (++this.#steps > maxSteps) throw new BrokenImage('The image has too many parts.');
    this.#position += length;
    return this.#bytes.subarray(this.#position - length, this.#position);
  }

  peek(length: number): Buffer {
    const bytes = this.take(length);
    this.#position -= length;
    return bytes;
  }

  byte(): number {
    return this.take(1)[0]!;
  }

  text(length: number): string {
    return this.take(length).toString('latin1');
  }

  /** Takes everything before the next `value` that is followed by a byte for which `ends` is true. */
  takeUntil(value: number, ends: (following: number) => boolean): Buffer {
    let found = this.#bytes.indexOf(value, this.#position);
    while (found >= 0 && found + 1 < this.#bytes.length) {
      if (ends(this.#bytes[found + 1]!)) return this.take(found - this.#position);
      found = this.#bytes.indexOf(value, found + 2);
    }
    return this.take(this.left + 1);
  }

  rest(): Buffer {
    return this.take(this.left);
  }
}

/**
 * Some devices fill their files up with zeros. With any other data after the end, the file would be two things at once.
 */
export function refuseAppended(rest: Buffer): void {
  if (rest.some((byte) => byte !== 0)) throw new BrokenImage('The file has extra data after the end of the image.');
}
