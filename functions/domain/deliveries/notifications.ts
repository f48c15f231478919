import { byCustomer } from '#domain/claims/claim-rules.ts';
import { matchesEvent } from '#domain/endpoints/endpoint.ts';
import type { OutboxEvent } from '#domain/orders/outbox.ts';
import type { AllTriggerRules, TriggerRules } from '#domain/settings/trigger-settings.ts';
import { emailTarget, isMailedGroup } from '#schemas/catalogues/emails.ts';
import type { NotifiedIntegration, ThirdParty } from '#schemas/catalogues/integrations.ts';
import { customerGroups, type EventGroup, shipmentEvents } from '#schemas/catalogues/shipment-events.ts';
import type { NotSentReason } from '#schemas/shapes/timeline-shapes.ts';
import type { Target } from './delivery-items.ts';
import type { Occurrence } from './event-data.ts';

/** The possible receivers of a shop's events, and the shop's settings for them. */
export interface Audience {
  endpoints: readonly { uuid: string; enabled_events: readonly string[] }[];
  /** The integrations that have an address and a key for it. */
  integrations: readonly NotifiedIntegration[];
  rules: AllTriggerRules;
  /** Whether customers get e-mails: the shop wants that, and the deployment can send them. */
  emails?: boolean;
  /** Whether the deployment can send e-mails. A withdrawal is acknowledged whatever the shop wants. */
  hasSender?: boolean;
}

/** One group of an event, and the targets that get it. */
export interface Notification {
  event_group: string;
  targets: Target[];
}

/** One for each group that the event fires. It may have no targets. */
export function notificationsOf(event: OutboxEvent, occurrence: Occurrence, audience: Audience): Notification[] {
  const isNews = (rules: TriggerRules) => rules.enabled && !isStale(event, occurrence, rules);
  const wantsCatchAll = (rules: TriggerRules) => isNews(rules) && rules.trigger_delivered_all_events;
  return groupsOf(event).map((event_group) => {
    const isOwn = event_group === event.event_group;
    const mailed: Target[] = isOwn && isMailed(event, audience) ? [{ id: emailTarget, kind: 'email' }] : [];
    return { event_group, targets: [...targetsOf(event, audience, isOwn ? isNews : wantsCatchAll), ...mailed] };
  });
}

/**
 * Whether the event makes an e-mail, or a line in the log that says why not. What customers wrote themselves and what an
 * internal trigger repeats are no news to them.
 */
function isMailed(event: OutboxEvent, { emails = false, hasSender = false }: Audience): boolean {
  if (event.source === 'withdrawals') return hasSender && event.event_name === 'WITHDRAWAL_DECLARED';
  if (!emails || !isMailedGroup(event.event_group)) return false;
  if (event.source === 'shipments') return event.only_for === undefined && event.internal_trigger === undefined;
  if (event.only_for === emailTarget) return event.message_id !== undefined;
  const isOwnUpdate = event.event_name === 'CLAIM_UPDATED' && event.by === byCustomer;
  return event.only_for === undefined && event.message_id === undefined && !isOwnUpdate;
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

/** Vendors know nothing like a withdrawal. */
const getsIntegrations = ({ source, simulation }: OutboxEvent) =>
  source !== 'withdrawals' && (simulation === undefined || simulation.integrations === true);

const isStale = (event: OutboxEvent, occurrence: Occurrence, { stale_event_threshold }: TriggerRules): boolean =>
  !isNewsAtAnyAge(event) && ageOf(event, occurrence) >= hours(stale_event_threshold);

/** Why no endpoint and no integration is told of an event. Undefined if one is, or if the shop has none that it is for. */
export function whyNobodyIsTold(
  event: OutboxEvent,
  occurrence: Occurrence,
  audience: Audience,
): NotSentReason | undefined {
  const { endpoints, integrations, rules } = audience;
  if (groupsOf(event).length === 0) return 'no_group';
  if (notificationsOf(event, occurrence, audience).some(({ targets }) => targets.length > 0)) return undefined;
  const receivers = [
    ...(endpoints.length > 0 ? (['webhook'] as const) : []),
    ...(getsIntegrations(event) ? integrations : []),
  ].filter((id) => isFor(event, id));
  if (receivers.length === 0) return undefined;
  const on = receivers.filter((id) => rules[id].enabled);
  if (on.length === 0) return 'switched_off';
  return on.every((id) => isStale(event, occurrence, rules[id])) ? 'stale' : 'filtered';
}

const hours = (count: number) => count * 3_600_000;

/** The age is measured at the time of the trigger and not now, so that a replay decides as the first run did. */
const ageOf = ({ triggered_at }: OutboxEvent, { time }: Occurrence) => Date.parse(triggered_at) - Date.parse(time);

/** The event of an internal trigger is only for the third party that owns the trigger. */
const isFor = ({ only_for }: OutboxEvent, thirdParty: ThirdParty): boolean =>
  only_for === undefined || only_for === thirdParty;

/** An internal trigger fires because time has passed, so its event is news at any age. */
const isNewsAtAnyAge = (event: OutboxEvent): boolean =>
  event.source === 'shipments' && event.internal_trigger !== undefined;

/** An event of the phase `delivered` fires this group in addition to its own, for the targets that asked for it. */
export const catchAllGroup = 'shipment_delivered_all_events' satisfies EventGroup;

/**
 * The groups that an event fires, its own group first. Only an event with a group notifies anybody. This holds for
 * webhooks too, because their payload always has a group.
 */
export function groupsOf(event: OutboxEvent): string[] {
  if (event.event_group === null) return [];
  return firesCatchAll(event) ? [event.event_group, catchAllGroup] : [event.event_group];
}

/** Only shipments towards the customer count: a return that arrives is not a delivery to the customer. */
function firesCatchAll(event: OutboxEvent): boolean {
  if (event.source !== 'shipments') return false;
  const isTowardsCustomer = (customerGroups as readonly (string | null)[]).includes(event.event_group);
  return isTowardsCustomer && shipmentEvents[event.event_name].phase === 'delivered';
}
