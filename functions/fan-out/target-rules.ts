import type { IntegrationId } from '#schemas/integrations.ts';
import type { Target } from '#shared/deliveries/delivery-items.ts';
import type { OutboxEvent } from '#shared/orders/outbox.ts';
import type { Occurrence } from '#shared/payload/shipment-event-data.ts';
import { matchesEvent } from '#shared/webhooks/event-filter.ts';
import { isFor, isNewsAtAnyAge } from './addressee.ts';

/** Who may want the events of a shop. */
export interface Audience {
  endpoints: readonly { uuid: string; enabled_events: readonly string[] }[];
  /** Those with an address, a key and their switch on. */
  integrations: readonly IntegrationId[];
}

export function targetsOf(event: OutboxEvent, occurrence: Occurrence, { endpoints, integrations }: Audience): Target[] {
  const webhooks = isFor(event, 'webhook')
    ? endpoints.filter(({ enabled_events }) => matchesEvent(enabled_events, event.ref))
    : [];
  // Integrations write to people: only what has a group, and nothing that is no longer news.
  const notified =
    event.event_group === null
      ? []
      : integrations.filter(
          (id) => isFor(event, id) && (isNewsAtAnyAge(event) || ageOf(event, occurrence) < staleAfter(id)),
        );
  return [
    ...webhooks.map(({ uuid }): Target => ({ id: uuid, kind: 'webhook' })),
    ...notified.map((id): Target => ({ id, kind: 'integration' })),
  ];
}

const hour = 3_600_000;

/** When it was triggered, not now: a replay decides as the first run did. */
const ageOf = ({ triggered_at }: OutboxEvent, { time }: Occurrence) => Date.parse(triggered_at) - Date.parse(time);

/** The contract's default of `stale_event_threshold`. */
const staleAfter = (integration: IntegrationId) => (integration === 'integration_7' ? 48 : 4) * hour;
