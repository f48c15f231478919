import type { Moment } from './moments.ts';
import type { Checkpoint, Expected, ProviderReport, ReportedLocation } from './provider.ts';
import { placeOf, textOf, trackingNumberOf } from './reading.ts';

/** What a provider writes about one parcel. */
interface WrittenReport {
  number: unknown;
  carrier: unknown;
  /** Ours, if the provider's word for it is known. */
  carrierReference?: string | null;
  checkpoints: Checkpoint[];
  expected: Expected | undefined;
  reportedAt?: string | undefined;
}

/** As a list, which is empty if there is no tracking number. */
export function reportOf(written: WrittenReport): ProviderReport[] {
  const tracking_number = trackingNumberOf(written.number);
  if (tracking_number === undefined) return [];
  const { carrier, carrierReference = null, checkpoints, expected, reportedAt } = written;
  return [
    {
      tracking_number,
      carrier: textOf(carrier, 100) ?? null,
      carrier_reference: carrierReference,
      checkpoints,
      ...(expected && { expected_delivery: expected }),
      ...(reportedAt !== undefined && { reported_at: reportedAt }),
    },
  ];
}

interface WrittenCheckpoint {
  moment: Moment | undefined;
  codes: string[];
  text: unknown;
  place: Partial<Record<keyof ReportedLocation, unknown>>;
}

/** As a list, which is empty if there is no time. */
export function checkpointOf({ moment, codes, text, place }: WrittenCheckpoint): Checkpoint[] {
  if (!moment) return [];
  const location = placeOf(place);
  return [{ codes, text: textOf(text) ?? '', ...moment, ...(location && { location }) }];
}
