import type { TrackingRequest } from '#schemas/shapes/carrier-updates.ts';

/** Whoever tracks parcels for us. What it finds out comes back through the queue of carrier updates. */
export interface TrackingAggregator {
  /** Hands the parcels over and answers those that were not taken. The same parcel may be handed over again. */
  submit(parcels: readonly TrackingRequest[]): Promise<readonly TrackingRequest[]>;
}
