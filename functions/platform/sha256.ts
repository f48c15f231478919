import { createHmac, hash } from 'node:crypto';

type Source = string | ArrayBuffer | ArrayBufferView;

/**
 * The hashes of the SDK's signatures: four for every request. The SDK's own class makes two objects for each hash, and
 * Node throws and catches two errors for a key that is given as bytes, which together takes longer than to hash.
 */
export class Sha256 {
  readonly #key: string | undefined;
  #parts: Buffer[] = [];

  constructor(key?: Source) {
    this.#key = key && bytesOf(key).toString('latin1');
  }

  update(data: Source): void {
    this.#parts.push(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    const data = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
    if (this.#key === undefined) return hash('sha256', data, 'buffer');
    return createHmac('sha256', this.#key, { encoding: 'latin1' }).update(data).digest();
  }

  reset(): void {
    this.#parts = [];
  }
}

function bytesOf(source: Source): Buffer {
  if (typeof source === 'string') return Buffer.from(source);
  return ArrayBuffer.isView(source)
    ? Buffer.from(source.buffer, source.byteOffset, source.byteLength)
    : Buffer.from(source);
}
