import { pageLimits } from '#schemas/catalogues/limits.ts';

const visitMs = pageLimits.visitMinutes * 60_000;
const scansOfParcel = 3;

/** What was acknowledged of each order, and when: what must be there at the end. */
export class Deeds {
  readonly orders: number;
  readonly placed: Uint8Array;
  readonly fulfilled: Uint8Array;
  readonly claimed: Uint8Array;
  /** How many scans the provider has told of. */
  readonly scans: Uint8Array;
  readonly #scannedAt: Float64Array;
  /** Of the last visit of each page: the earliest and the latest time at which it can have begun. */
  readonly #visited: Float64Array;
  /** Views within half an hour are one visit. Near the end of that it depends on a moment that only the service knows. */
  readonly visits = { least: 0, most: 0 };

  constructor(orders: number) {
    this.orders = orders;
    this.placed = new Uint8Array(orders);
    this.fulfilled = new Uint8Array(orders);
    this.claimed = new Uint8Array(orders);
    this.scans = new Uint8Array(orders);
    this.#scannedAt = new Float64Array(orders * scansOfParcel);
    this.#visited = new Float64Array(orders * 2);
  }

  /** The times of the parcel's scans up to this one, which is made now if it was not made before. */
  scan(order: number, scan: number, now: number): number[] {
    const from = order * scansOfParcel;
    const before = scan === 0 ? 0 : this.#scannedAt[from + scan - 1]!;
    this.#scannedAt[from + scan] ||= Math.max(now, before + 1);
    return this.scansUpTo(order, scan);
  }

  scansUpTo(order: number, scan: number): number[] {
    const from = order * scansOfParcel;
    return [...this.#scannedAt.subarray(from, from + scan + 1)];
  }

  view(order: number, from: number, to: number): void {
    const [earliest, latest] = [this.#visited[order * 2]!, this.#visited[order * 2 + 1]!];
    if (to - earliest < visitMs) return;
    this.visits.most += 1;
    if (from - latest >= visitMs) {
      this.visits.least += 1;
      this.#visited[order * 2] = from;
    }
    this.#visited[order * 2 + 1] = to;
  }
}
