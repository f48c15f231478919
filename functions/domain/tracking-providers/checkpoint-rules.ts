import type { ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import type { CarrierUpdate } from '#schemas/shapes/carrier-updates.ts';
import type { Checkpoint, CodeTable, ProviderReport } from './provider.ts';

export interface ReportedEvents {
  /** Oldest first, each once. */
  events: CarrierUpdate[];
  /** The codes that the table lacks, each as often as it occurs. */
  unmapped: UnmappedCode[];
}

interface UnmappedCode {
  code: string;
  text: string;
}

/**
 * The events in a report. Neither the order of the checkpoints nor a repeated checkpoint makes a difference. The newest
 * event carries the expected delivery, so that an older report never replaces a newer forecast.
 */
export function eventsOf(report: ProviderReport, codes: CodeTable): ReportedEvents {
  const decided = report.checkpoints.map((checkpoint) => ({ checkpoint, decision: decisionOf(checkpoint, codes) }));
  const updates = decided.flatMap(({ checkpoint, decision }) =>
    typeof decision === 'object' && 'event' in decision ? [updateOf(report, checkpoint, decision.event)] : [],
  );
  const events = withoutRepetitions(updates);
  const newest = events.at(-1);
  if (newest && report.expected_delivery) newest.expected_delivery = report.expected_delivery;
  const unmapped = decided.flatMap(({ checkpoint, decision }) =>
    decision === 'unknown' ? [{ code: checkpoint.codes[0] ?? '', text: checkpoint.text }] : [],
  );
  return { events, unmapped };
}

function decisionOf({ codes }: Checkpoint, table: CodeTable): CodeTable[string] | 'unknown' {
  const known = codes.find((code) => Object.hasOwn(table, code));
  return known === undefined ? 'unknown' : table[known]!;
}

function updateOf(report: ProviderReport, checkpoint: Checkpoint, event_name: ShipmentEventName): CarrierUpdate {
  const { time, timezone, location } = checkpoint;
  return {
    tracking_number: report.tracking_number,
    carrier_reference: report.carrier_reference,
    event_name,
    event_time: time,
    ...(timezone !== undefined && { timezone }),
    ...(location && { location: locationOf(location) }),
  };
}

function locationOf({ city, country_code, zip_code, province }: NonNullable<Checkpoint['location']>) {
  return {
    ...(city !== undefined && { city }),
    ...(country_code !== undefined && { country_code }),
    ...(zip_code !== undefined && { postal_code: zip_code }),
    ...(province !== undefined && { state_or_province: province }),
  };
}

/** Of two events with the same name and time the one that says more is kept, whichever came first. */
function withoutRepetitions(updates: readonly CarrierUpdate[]): CarrierUpdate[] {
  const sorted = updates
    .map((update) => ({ update, at: Date.parse(update.event_time), text: JSON.stringify(update) }))
    .sort((a, b) => a.at - b.at || b.text.length - a.text.length || (a.text < b.text ? -1 : 1));
  const byMoment = new Map<string, CarrierUpdate>();
  for (const { update, at } of sorted) {
    const moment = `${at} ${update.event_name}`;
    if (!byMoment.has(moment)) byMoment.set(moment, update);
  }
  return [...byMoment.values()];
}
