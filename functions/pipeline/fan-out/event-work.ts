import { isTriggered, runStartOf } from '#domain/automations/decision.ts';
import type { AutomationRecord } from '#domain/automations/model.ts';
import { newRun } from '#domain/automations/run.ts';
import { createRun } from '#domain/automations/run-store.ts';
import { firstMessageOf, newDelivery, type Target } from '#domain/deliveries/delivery-items.ts';
import { ttlSeconds } from '#domain/deliveries/delivery-rules.ts';
import type { QueuedDelivery } from '#domain/deliveries/delivery-store.ts';
import {
  contextOf,
  type EventSubject,
  type OrderContext,
  ownPartOf,
  subjectsOf,
  subjectVersion,
} from '#domain/deliveries/event-payload.ts';
import { type Audience, notificationsOf } from '#domain/deliveries/notifications.ts';
import { type EventPayloads, storeEventPayloads } from '#domain/deliveries/payload-store.ts';
import { groupsOf } from '#domain/orders/event-groups.ts';
import { logTimeOf, type StoredEvent } from '#domain/orders/outbox.ts';
import type { Viewer } from '#domain/orders/presentation.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { causeOf } from '#platform/correlation.ts';

/** What an event causes for one of its subjects. */
export interface SubjectWork {
  subject: EventSubject;
  deliveries: PlannedDelivery[];
  /** The position in the event's payloads of the one that automations look at. */
  payloadPart: number;
  automations: AutomationRecord[];
}

interface PlannedDelivery {
  event_group: string;
  target: Target;
  payloadPart: number;
}

/**
 * Everything that an event causes: a delivery for each subject, each group that it fires and each target that wants it,
 * and a run for each subject and each automation that it triggers.
 */
export function workOf(
  event: StoredEvent,
  audience: Audience,
  automations: readonly AutomationRecord[],
): SubjectWork[] {
  const isOurs = !event.simulation?.on_clock;
  const triggered = automations.filter((automation) => isOurs && isTriggered(automation, event));
  const partsOfSubject = payloadGroupsOf(event).length;
  return subjectsOf(event).map((subject, i) => ({
    subject,
    deliveries: notificationsOf(event, subject.occurrence, audience).flatMap(({ event_group, targets }, group) =>
      targets.map((target) => ({ event_group, target, payloadPart: i * partsOfSubject + group })),
    ),
    payloadPart: i * partsOfSubject,
    automations: triggered,
  }));
}

/** How many deliveries and runs the work makes. */
export const unitsOf = (work: readonly SubjectWork[]): number =>
  work.reduce((sum, { deliveries, automations }) => sum + deliveries.length + automations.length, 0);

/** Automations may look at an event that fires no group. */
const payloadGroupsOf = (event: StoredEvent): (string | null)[] => {
  const groups = groupsOf(event);
  return groups.length > 0 ? groups : [null];
};

/**
 * Makes the payloads of an event. Which part a delivery sends follows from the event alone, so a replay or a part of
 * the work finds it.
 */
export function payloadsOf(event: StoredEvent, context: OrderContext, viewer: Viewer): EventPayloads {
  const groups = payloadGroupsOf(event);
  const parts = subjectsOf(event).flatMap((subject) =>
    groups.map((event_group) => ownPartOf({ ...event, event_group }, subject, context, viewer.shop)),
  );
  return { context: contextOf(context, viewer), parts };
}

/** A record that fails may be tried again for hours, and then makes deliveries that live longer than the first ones. */
const marginSeconds = 24 * 3600;

export function storePayloads(event: StoredEvent, payloads: EventPayloads, now: Date): Promise<void> {
  const { id, shop_slug } = event;
  const expires_at = Math.floor(now.getTime() / 1000) + ttlSeconds + marginSeconds;
  return storeEventPayloads({ shop_slug, payload_id: id, expires_at, ...simulated(event) }, payloads);
}

const simulated = ({ simulation }: StoredEvent) => simulation && { simulation_id: simulation.id };

/** Few at a time: other shops use the same table. */
const maxConcurrentWrites = 3;

/**
 * Records the runs of the work, and returns the messages of its deliveries. The payloads must be stored. It queues
 * nothing: the caller queues the deliveries, and the stream shows the runs that act at once. When an event comes again, an
 * automation may no longer match, so a run that an earlier try recorded but did not queue would wait for ever.
 */
export async function perform(
  event: StoredEvent,
  work: readonly SubjectWork[],
  payloads: () => Promise<EventPayloads>,
  now: Date,
): Promise<QueuedDelivery[]> {
  if (work.some(({ automations }) => automations.length > 0)) {
    await mapConcurrently(runsOf(event, work, await payloads()), createRun, maxConcurrentWrites);
  }
  return work.flatMap(({ subject, deliveries }) =>
    deliveries.map((planned) => ({ ...firstMessageOf(deliveryOf(event, subject, planned, now)), ...causeOf(event) })),
  );
}

function deliveryOf(event: StoredEvent, subject: EventSubject, planned: PlannedDelivery, now: Date) {
  const { id: event_id, ref, shop_slug } = event;
  const triggered_at = logTimeOf(event);
  const { event_group, target, payloadPart } = planned;
  const extra_group = event_group === event.event_group ? {} : { extra_group: event_group };
  const origin = { event_id, subject_id: subject.id, ref, event_group, ...extra_group, triggered_at, shop_slug };
  const source = { ...origin, ...simulated(event), subject_version: subjectVersion(event, subject) };
  return newDelivery(source, target, now, payloadPart);
}

function runsOf(event: StoredEvent, work: readonly SubjectWork[], { context, parts }: EventPayloads) {
  return work.flatMap(({ subject, automations, payloadPart }) => {
    const payload = { ...parts[payloadPart], context };
    return automations.flatMap((automation) => {
      const start = runStartOf(automation, event, subject, payload);
      return start ? [newRun(automation, event, subject, start)] : [];
    });
  });
}
