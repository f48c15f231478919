import { logTimeOf, type OnlyFor, type StoredEvent } from '#domain/orders/outbox.ts';
import { deliveryId, type Target } from './delivery-items.ts';
import type { Delivery } from './delivery-rules.ts';
import { readDeliveries } from './delivery-store.ts';
import { subjectsOf } from './event-payload.ts';
import { groupsOf } from './notifications.ts';

/**
 * The deliveries of events to these targets. Their ids are derived from event, subject and target, so they are read
 * directly, and nothing has to be written when a delivery is made.
 * @param max how many deliveries are looked for. Those of the newest events come first.
 */
export function deliveriesOfEvents(
  slug: string,
  events: readonly StoredEvent[],
  targets: readonly Target[],
  max: number,
): Promise<Delivery[]> {
  const possible = newestFirst(events).flatMap((event) => possibleDeliveries(event, targets));
  return readDeliveries(slug, possible.slice(0, max));
}

/** The newest of the events, whose deliveries to these targets are all looked for. */
export function whollyLookedFor(
  events: readonly StoredEvent[],
  targets: readonly Target[],
  max: number,
): readonly StoredEvent[] {
  const sorted = newestFirst(events);
  let count = 0;
  const end = sorted.findIndex((event) => {
    count += possibleDeliveries(event, targets).length;
    return count > max;
  });
  return end === -1 ? sorted : sorted.slice(0, end);
}

const newestFirst = (events: readonly StoredEvent[]) =>
  events.toSorted((a, b) => (a.triggered_at < b.triggered_at ? 1 : -1));

/** Every delivery that the event can have made, whatever the targets listened to then. */
function possibleDeliveries(event: StoredEvent, targets: readonly Target[]): { target: string; id: string }[] {
  const { id: event_id, only_for } = event;
  const triggered_at = logTimeOf(event);
  const receivers = targets.filter((target) => only_for === undefined || only_for === thirdPartyOf(target));
  return subjectsOf(event).flatMap(({ id: subject_id }) =>
    groupsOf(event).flatMap((group) =>
      receivers.map(({ id: target }) => {
        const origin = { event_id, triggered_at, target, subject_id };
        const id = deliveryId(group === event.event_group ? origin : { ...origin, extra_group: group });
        return { target, id };
      }),
    ),
  );
}

const thirdPartyOf = ({ id, kind }: Target): OnlyFor => (kind === 'webhook' ? 'webhook' : (id as OnlyFor));
