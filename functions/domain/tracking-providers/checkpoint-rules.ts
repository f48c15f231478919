import type { ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import type { CarrierUpdate } from '#schemas/shapes/carrier-updates.ts';
import type { Checkpoint, CodeTable, ProviderReport, ReportedLocation } from './provider.ts';

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
 * event carries the expected delivery and the time of the report, so that an older report never replaces a newer
 * forecast.
 */
export function eventsOf(report: ProviderReport, table: CodeTable): ReportedEvents {
  const updates: CarrierUpdate[] = [];
  const unmapped: UnmappedCode[] = [];
  for (const checkpoint of report.checkpoints) {
    const [mostSpecific = 'no code'] = checkpoint.codes;
    const known = checkpoint.codes.find((code) => Object.hasOwn(table, code));
    const meaning = known === undefined ? undefined : table[known];
    if (meaning && 'event' in meaning) updates.push(updateOf(report, checkpoint, meaning.event));
    // A new sub-status is listed even if its status is known: the operator may want a better event for it.
    if (known !== mostSpecific) unmapped.push({ code: mostSpecific, text: checkpoint.text });
  }
  const events = withoutRepetitions(updates);
  const newest = events.at(-1);
  const { expected_delivery: expected, reported_at: updated_at } = report;
  if (newest && expected) newest.expected_delivery = { ...expected, ...(updated_at !== undefined && { updated_at }) };
  return { events, unmapped };
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

function locationOf({ zip_code, province, ...rest }: ReportedLocation): NonNullable<CarrierUpdate['location']> {
  return {
    ...rest,
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
