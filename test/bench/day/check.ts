import { type Book, claimEvent, heardEvents } from './book.ts';
import type { Deeds } from './deeds.ts';
import type { OperationRow } from './http.ts';
import { orderNumberOf, trackingNumberOf } from './names.ts';

/** What the service says about an order, as far as the check looks at it. */
export interface FoundOrder {
  order_number: string;
  trackings: {
    carrier: { tracking_number: string | null } | null;
    events: { event_name: string; time: string }[];
  }[];
}

/** The events of a parcel are those of the order, then the scans. */
const ownEvents = 2;

/** What is wrong with an order that was read back. */
export function faultsOfOrder(order: number, { trackings }: FoundOrder, deeds: Deeds): string[] {
  const name = orderNumberOf(order);
  const [parcel, ...more] = trackings;
  if (!parcel || more.length > 0) return [`${name} has ${trackings.length} parcels`];
  if (deeds.fulfilled[order] && parcel.carrier?.tracking_number !== trackingNumberOf(order)) {
    return [`${name} has not got its parcel's number`];
  }
  const scans = deeds.scansUpTo(order, deeds.scans[order]! - 1);
  const wanted = heardEvents.slice(0, (deeds.fulfilled[order] ? ownEvents : 1) + scans.length).join(' ');
  const found = parcel.events.map(({ event_name }) => event_name).join(' ');
  if (found !== wanted) return [`${name} has the events ${found}, not ${wanted}`];
  const times = parcel.events.map(({ time }) => Date.parse(time));
  if (times.some((time, i) => i > 0 && time < times[i - 1]!)) return [`the events of ${name} are not in their order`];
  const isScanned = scans.every((time, i) => times[ownEvents + i] === time);
  return isScanned ? [] : [`an event of ${name} has another time than its scan`];
}

/** What the endpoint did not hear of, or heard of too often. @param mayRepeat if the stack was killed */
export function faultsOfWebhooks(book: Book, deeds: Deeds, mayRepeat: boolean): string[] {
  const faults: string[] = [];
  const isWanted = (order: number, event: number): boolean => {
    if (event === claimEvent) return deeds.claimed[order] === 1;
    if (event < ownEvents) return (event === 0 ? deeds.placed : deeds.fulfilled)[order] === 1;
    return event - ownEvents < deeds.scans[order]!;
  };
  for (let order = 0; order < book.orders; order++) {
    for (let event = 0; event < heardEvents.length; event++) {
      const times = book.timesHeard(order, event);
      const what = `${heardEvents[event]} of ${orderNumberOf(order)}`;
      if (isWanted(order, event) && times === 0) faults.push(`the webhook ${what} is lost`);
      if (!isWanted(order, event) && times > 0) faults.push(`the webhook ${what} came without a cause`);
      if (times > 1 && !mayRepeat) faults.push(`the webhook ${what} came ${times} times`);
    }
  }
  const refused = {
    otherIds: 'webhooks came again with another id',
    wrongSignatures: 'webhooks had a wrong signature',
    unexpected: 'webhooks and registrations were expected by nobody',
    ...(!mayRepeat && { registrationRepeats: 'parcels were registered again' }),
  };
  for (const [counter, text] of Object.entries(refused) as [keyof typeof refused, string][]) {
    if (book.get(counter) > 0) faults.push(`${book.get(counter)} ${text}`);
  }
  return faults;
}

/** A stack that nobody killed answers every request, and neither with 429 nor with a fault of its own. */
export function faultsOfAnswers(rows: ReadonlyMap<string, Pick<OperationRow, 'unanswered' | 'refused'>>): string[] {
  return [...rows].flatMap(([operation, { unanswered, refused }]) => [
    ...(unanswered > 0 ? [`${operation}: ${unanswered} times no answer`] : []),
    ...(refused > 0 ? [`${operation}: ${refused} answers of 429 or 5xx`] : []),
  ]);
}

/** A number, or the least and the most that it may be. */
export type Wanted = number | { least: number; most: number };
export type Totals = Record<string, number>;

export function faultsOfTotals(wanted: Record<string, Wanted>, found: Totals): string[] {
  return Object.entries(wanted).flatMap(([name, value]) => {
    const { least, most } = typeof value === 'number' ? { least: value, most: value } : value;
    const is = found[name];
    if (is !== undefined && is >= least && is <= most) return [];
    return [`${name}: ${is}, not ${least === most ? least : `${least} to ${most}`}`];
  });
}
