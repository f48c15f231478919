import type { Update } from './parse.ts';

/** A shipment that has a tracking number, and whose it is. */
export interface Parcel {
  slug: string;
  order_id: string;
  shipment_id: string;
}

/** What a batch says about one parcel: recorded in one write. */
export interface Group {
  parcel: Parcel;
  updates: Update[];
}

/** The parcels of each tracking number: one for each shop that knows it. */
export type Parcels = ReadonlyMap<string, readonly Parcel[]>;

export function groupByParcel(updates: readonly Update[], parcels: Parcels): Group[] {
  const byNumber = Map.groupBy(updates, ({ trackingNumber }) => trackingNumber);
  return [...byNumber].flatMap(([number, group]) =>
    (parcels.get(number) ?? []).map((parcel) => ({ parcel, updates: group })),
  );
}

export function isUnknown({ trackingNumber }: Update, parcels: Parcels): boolean {
  return (parcels.get(trackingNumber) ?? []).length === 0;
}
