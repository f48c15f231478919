import type { Target } from '#domain/deliveries/delivery-items.ts';
import { integrationTarget, reachableIntegrations } from '#domain/deliveries/integration-targets.ts';
import { matchesEvent } from '#domain/endpoints/endpoint.ts';
import { activeEndpoints } from '#domain/endpoints/endpoint-store.ts';
import { type Viewer, viewerOf } from '#domain/orders/presentation.ts';
import { groupsOf } from '#domain/outbox/event-groups.ts';
import type { OutboxEvent } from '#domain/outbox/outbox.ts';
import type { Occurrence } from '#domain/payload/event-payload.ts';
import { isSegmentSource } from '#domain/segments/segment-rules.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { type AllTriggerRules, type TriggerRules, triggerRules } from '#domain/settings/trigger-settings.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { serviceUrl } from '#platform/service-url.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import type { NotifiedIntegration, ThirdParty } from '#schemas/catalogues/integrations.ts';

export interface ShopAudience extends Audience {
  /** The shop with the texts of its own language: no caller asks for another language here. */
  viewer: Viewer;
  /** The integrations that know the segments of the shop's customers. */
  segmentSources: readonly NotifiedIntegration[];
}

/** Loads the shop and the possible receivers of its events; undefined if the shop does not exist. */
export async function loadAudience(slug: string): Promise<ShopAudience | undefined> {
  const reachable = reachableIntegrations();
  const keys = reachable.map((id) => keyOf.integrationKey(slug, id));
  const [endpoints, [shop, settings = {}, ...credentials]] = await Promise.all([
    activeEndpoints(slug),
    batchGet([keyOf.shop(slug), keyOf.settings(slug), ...keys]),
  ]);
  if (!shop) return undefined;
  const shopItem = shop as unknown as ShopItem;
  const stored: StoredSettings = settings;
  const connectionOf = (i: number) => ({ shop: shopItem, settings: stored, key: credentials[i] });
  return {
    viewer: await viewerOf({ shop: shopItem, language: shopItem.language ?? 'en', serviceUrl: serviceUrl() }),
    endpoints,
    integrations: reachable.filter((id, i) => integrationTarget(id, connectionOf(i)) !== undefined),
    rules: triggerRules(stored),
    segmentSources: reachable.filter((id, i) => isSegmentSource(id, connectionOf(i))),
  };
}

/** The possible receivers of a shop's events, and the shop's settings for them. */
export interface Audience {
  endpoints: readonly { uuid: string; enabled_events: readonly string[] }[];
  /** The integrations that have an address and a key for it. */
  integrations: readonly NotifiedIntegration[];
  rules: AllTriggerRules;
}

/** One group of an event, and the targets that get it. */
export interface Notification {
  event_group: string;
  targets: Target[];
}

/** One for each group that the event fires. It may have no targets. */
export function notificationsOf(event: OutboxEvent, occurrence: Occurrence, audience: Audience): Notification[] {
  const isNews = (rules: TriggerRules) =>
    rules.enabled && (isNewsAtAnyAge(event) || ageOf(event, occurrence) < hours(rules.stale_event_threshold));
  const wantsCatchAll = (rules: TriggerRules) => isNews(rules) && rules.trigger_delivered_all_events;
  return groupsOf(event).map((event_group) => ({
    event_group,
    targets: targetsOf(event, audience, event_group === event.event_group ? isNews : wantsCatchAll),
  }));
}

function targetsOf(event: OutboxEvent, audience: Audience, wants: (rules: TriggerRules) => boolean): Target[] {
  const { endpoints, integrations, rules } = audience;
  const isReceiver = (thirdParty: ThirdParty) => isFor(event, thirdParty) && wants(rules[thirdParty]);
  const webhooks = endpoints.filter(
    ({ enabled_events }) => isReceiver('webhook') && matchesEvent(enabled_events, event.ref),
  );
  return [
    ...webhooks.map(({ uuid }): Target => ({ id: uuid, kind: 'webhook' })),
    ...(getsIntegrations(event) ? integrations.filter(isReceiver) : []).map(
      (id): Target => ({ id, kind: 'integration' }),
    ),
  ];
}

const getsIntegrations = ({ simulation }: OutboxEvent) => simulation === undefined || simulation.integrations === true;

const hours = (count: number) => count * 3_600_000;

/** The age is measured at the time of the trigger and not now, so that a replay decides as the first run did. */
const ageOf = ({ triggered_at }: OutboxEvent, { time }: Occurrence) => Date.parse(triggered_at) - Date.parse(time);

/** The event of an internal trigger is only for the third party that owns the trigger. */
const isFor = ({ only_for }: OutboxEvent, thirdParty: ThirdParty): boolean =>
  only_for === undefined || only_for === thirdParty;

/** An internal trigger fires because time has passed, so its event is news at any age. */
const isNewsAtAnyAge = (event: OutboxEvent): boolean =>
  event.source === 'shipments' && event.internal_trigger !== undefined;
