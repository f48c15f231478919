import type { Target } from '#domain/deliveries/delivery-items.ts';
import { matchesEvent } from '#domain/endpoints/event-filter.ts';
import type { OutboxEvent } from '#domain/outbox/outbox.ts';
import type { Occurrence } from '#domain/payload/shipment-event-data.ts';
import type { AllTriggerRules, TriggerRules } from '#domain/settings/trigger-rules.ts';
import type { NotifiedIntegration, ThirdParty } from '#schemas/catalogues/integrations.ts';
import { customerGroups, type EventGroup, shipmentEvents } from '#schemas/catalogues/shipment-events.ts';
import { isFor, isNewsAtAnyAge } from './addressee.ts';

/** Who may want the events of a shop, and what it set for them. */
export interface Audience {
  endpoints: readonly { uuid: string; enabled_events: readonly string[] }[];
  /** Those with an address and a key. */
  integrations: readonly NotifiedIntegration[];
  rules: AllTriggerRules;
}

/** What is told, and to whom. */
export interface Notification {
  event_group: string;
  targets: Target[];
}

/** The group that an event of phase `delivered` fires beside its own, for those who asked for it. */
const catchAll = 'shipment_delivered_all_events' satisfies EventGroup;

/** Only what has a group notifies: for webhooks too, whose payload has a group in every case. */
export function notificationsOf(event: OutboxEvent, occurrence: Occurrence, audience: Audience): Notification[] {
  const { event_group } = event;
  if (event_group === null) return [];
  const isNews = (rules: TriggerRules) =>
    rules.enabled && (isNewsAtAnyAge(event) || ageOf(event, occurrence) < hours(rules.stale_event_threshold));
  const own = { event_group, targets: targetsOf(event, audience, isNews) };
  if (!firesCatchAll(event)) return told([own]);
  const asked = (rules: TriggerRules) => isNews(rules) && rules.trigger_delivered_all_events;
  return told([own, { event_group: catchAll, targets: targetsOf(event, audience, asked) }]);
}

const told = (notifications: Notification[]) => notifications.filter(({ targets }) => targets.length > 0);

function targetsOf(event: OutboxEvent, audience: Audience, wants: (rules: TriggerRules) => boolean): Target[] {
  const { endpoints, integrations, rules } = audience;
  const isTold = (thirdParty: ThirdParty) => isFor(event, thirdParty) && wants(rules[thirdParty]);
  const webhooks = endpoints.filter(
    ({ enabled_events }) => isTold('webhook') && matchesEvent(enabled_events, event.ref),
  );
  return [
    ...webhooks.map(({ uuid }): Target => ({ id: uuid, kind: 'webhook' })),
    ...integrations.filter(isTold).map((id): Target => ({ id, kind: 'integration' })),
  ];
}

/** A group of shipments towards the customer: a return that arrives is no delivery to anybody's door. */
function firesCatchAll(event: OutboxEvent): boolean {
  if (event.source !== 'shipments') return false;
  const isTowardsCustomer = (customerGroups as readonly (string | null)[]).includes(event.event_group);
  return isTowardsCustomer && shipmentEvents[event.event_name].phase === 'delivered';
}

const hours = (count: number) => count * 3_600_000;

/** When it was triggered, not now: a replay decides as the first run did. */
const ageOf = ({ triggered_at }: OutboxEvent, { time }: Occurrence) => Date.parse(triggered_at) - Date.parse(time);
