import { enabledAutomations } from '#domain/automations/automation-store.ts';
import { messageOf as runMessageOf } from '#domain/automations/run.ts';
import { enqueueRuns } from '#domain/automations/run-store.ts';
import { enqueue, type QueuedDelivery } from '#domain/deliveries/delivery-messages.ts';
import { isErasedEvent } from '#domain/deliveries/erased-payload.ts';
import type { OrderContext } from '#domain/deliveries/event-payload.ts';
import type { Announcement } from '#domain/orders/enclosed-events.ts';
import type { Order } from '#domain/orders/model.ts';
import {
  requestFor,
  type ShipmentOutboxEvent,
  type StoredEvent,
  submittedBy,
  type TrackingBacklogItem,
  type TrackingRequestItem,
  withoutSnapshot,
} from '#domain/orders/outbox.ts';
import { isStillWanted } from '#domain/orders/simulated.ts';
import { enqueueSegmentRequests } from '#domain/segments/segment-request.ts';
import { hasCustomer } from '#domain/segments/segment-rules.ts';
import { takesUpdates } from '#domain/settings/stored-settings.ts';
import { settingsWithTriggersIn } from '#domain/settings/trigger-settings.ts';
import { providerFor, readProviders } from '#domain/tracking-providers/provider-store.ts';
import {
  enqueueRegistrations,
  enqueueTrackingRequests,
  type RegistrationMessage,
} from '#domain/tracking-providers/registration-queue.ts';
import { askToReplan, triggersIn } from '#domain/triggers/plan-store.ts';
import { loadOnce } from '#platform/batches.ts';
import { type Caused, causeOf } from '#platform/correlation.ts';
import { logger } from '#platform/logging.ts';
import { toMessage } from '#platform/put-aside.ts';
import { NotEnqueued } from '#platform/queue.ts';
import { inTime, RecordFault } from '#platform/verdicts.ts';
import { fanOutLimits } from '#schemas/catalogues/limits.ts';
import type { TrackingRequest } from '#schemas/shapes/carrier-updates.ts';
import {
  audienceIn,
  contextAtEvent,
  isInFeed,
  isOfShopBefore,
  type OutboxItem,
  payloadsOf,
  perform,
  readShop,
  requireOrderContext,
  type SubjectWork,
  startReadingOrders,
  storePayloads,
  unitsOf,
  workOf,
} from './event-work.ts';
import { enqueueParts, type PlanningPart, partOf } from './parts.ts';
import type { Change, StreamRecord, WakeItem } from './stream-records.ts';
import { type DraftsPart, startPlanning } from './trigger-planning.ts';

/** What handles the records of a batch. Each of the readers reads the data of a shop only once. */
export function toolsFor(now: Date, leftMs: () => number) {
  const itemsOf = loadOnce(readShop);
  const settingsOf = async (slug: string) => settingsWithTriggersIn(slug, await itemsOf(slug));
  return {
    audienceOf: loadOnce(async (slug) => audienceIn(slug, await itemsOf(slug), now)),
    automationsOf: loadOnce(enabledAutomations),
    plan: startPlanning(now, async (slug) => triggersIn(await settingsOf(slug))),
    submit: startSubmitting(async (slug) => takesUpdates((await settingsOf(slug)).settings)),
    readOrder: startReadingOrders(),
    now,
    leftMs,
  };
}

export type Tools = ReturnType<typeof toolsFor>;

/** For all that follows when the records are handled: their messages are queued, and what failed is put aside. */
export const reservedMs = 15_000;

/** All that a record of the stream leads to. */
export async function outgoingOf(record: StreamRecord, tools: Tools): Promise<Outgoing[]> {
  const { submit, now } = tools;
  switch (record.kind) {
    case 'wake':
      return outgoing('deliveries', [queuedAgain(record)]);
    case 'run':
      return outgoing('runs', [runMessageOf(record)]);
    case 'tracking_request':
    case 'tracking_backlog':
      return submit(record);
    case 'event':
      return [
        ...(isSubmission(record) ? await submit({ ...submittedBy(record), ...causeOf(record) }) : []),
        ...(await ofOutboxItem(record, tools)),
      ];
    case 'order_change':
      return [...(await ofChange(record, tools)), ...(await segmentRequests(record, tools))];
    case 'shipment_change':
      return ofChange(record, tools);
    case 'triggers_change':
      await askToReplan(record.slug, now);
      return [];
    case 'heartbeat':
      return [];
  }
}

type Submitting = OutboxItem & ShipmentOutboxEvent & { snapshot: Uint8Array };

const isSubmission = (item: OutboxItem): item is Submitting =>
  item.source === 'shipments' && item.submits === true && item.snapshot !== undefined;

function queuedAgain(item: WakeItem): QueuedDelivery {
  const { shop_slug, target, delivery_id, payload_id, probe } = item;
  return { shop_slug, target, delivery_id, payload_id, ...causeOf(item), ...(probe && { probe }) };
}

async function ofOutboxItem(item: OutboxItem, tools: Tools): Promise<Outgoing[]> {
  const event = withoutSnapshot<StoredEvent>(item);
  const { shop_slug, simulation } = event;
  if (!(await isStillWanted({ shop_slug, simulation_id: simulation?.id }))) return [];
  return ofEvents([event], () => requireOrderContext(item, tools.readOrder), tools);
}

/** The events of the write come first, and a fault in planning does not hold them back. */
async function ofChange(change: Change, tools: Tools): Promise<Outgoing[]> {
  const { announcement, shipments } = change;
  return [
    ...(announcement ? await ofAnnouncement(announcement, tools) : []),
    ...(shipments.length > 0 ? outgoing('planning_parts', await planOrPutOff(change, tools)) : []),
  ];
}

async function ofAnnouncement({ events, fullOrder, submitted }: Announcement, tools: Tools): Promise<Outgoing[]> {
  const [first] = events as [StoredEvent];
  const request = submitted && { ...requestFor(first.shop_slug, [submitted]), ...causeOf(first) };
  return [
    ...(request ? await tools.submit(request) : []),
    ...(await ofEvents(events, (event) => contextAtEvent(event, fullOrder, tools.readOrder), tools, true)),
  ];
}

/** Events of one write. @param areEnclosed whether they have no items of their own */
async function ofEvents(
  events: readonly StoredEvent[],
  contextOf: (event: StoredEvent) => Promise<OrderContext>,
  { audienceOf, automationsOf, now }: Tools,
  areEnclosed = false,
): Promise<Outgoing[]> {
  const { shop_slug } = events[0]!;
  const [audience, automations] = await Promise.all([audienceOf(shop_slug), automationsOf(shop_slug)]);
  if (!audience || isOfShopBefore(events[0]!, audience)) return [];
  const caused = events
    .map((event) => ({ event, work: workOf(event, audience, automations) }))
    // If nobody is interested in an event, its order is not read.
    .filter(({ event, work }) => unitsOf(work) > 0 || (audience.takePlace && isInFeed(event)));
  const isMuch = unitsOf(caused.flatMap(({ work }) => work)) > fanOutLimits.unitsAtOnce;
  const found: Outgoing[] = [];
  for (const { event, work } of caused) {
    if (isMuch && !areEnclosed) {
      found.push(...outgoing('event_parts', [partOf(event)]));
      continue;
    }
    const payloads = payloadsOf(event, await contextOf(event), audience.viewer);
    const isStored = isMuch || hasDeliveries(work) || (audience.takePlace && isInFeed(event));
    const mark = isStored
      ? await storePayloads(event, payloads, work, audience.takePlace, now)
      : await erasedOrNot(shop_slug, event.id);
    if (mark === 'erased') continue;
    // The next change of the item overwrites its events, so a part takes its event with it.
    if (isMuch) found.push(...outgoing('event_parts', [{ ...partOf(event), event }]));
    else found.push(...outgoing('deliveries', await perform(event, work, async () => payloads, mark, now)));
  }
  return found;
}

const erasedOrNot = async (slug: string, eventId: string) =>
  (await isErasedEvent(slug, eventId)) ? ('erased' as const) : undefined;

const hasDeliveries = (work: readonly SubjectWork[]) => work.some(({ deliveries }) => deliveries.length > 0);

/** Planning that hangs ends this much earlier than its record, so that the events of the record are queued. */
const planningMarginMs = 1000;

/** Planning that fails is done again as a part. */
async function planOrPutOff(change: Change, { plan, leftMs }: Tools): Promise<(DraftsPart | PlanningPart)[]> {
  const { slug: shop_slug, record } = change;
  try {
    return await inTime(() => plan(change), leftMs() - reservedMs - planningMarginMs);
  } catch (error) {
    logger.warn('planning put off', { shop_slug, reason: (error as Error).name });
    return [{ shop_slug, plans: true, ...(await toMessage(record)) }];
  }
}

/** A new order may ask for the segments of its customer. */
async function segmentRequests(change: Change & { order: Order }, { audienceOf }: Tools): Promise<Outgoing[]> {
  const { slug: shop_slug, order, before, announcement } = change;
  const isAsked = hasCustomer(order) && (order.simulation_id === undefined || order.simulation_integrations === true);
  const audience = !before && isAsked ? await audienceOf(shop_slug) : undefined;
  const { uuid: order_id, created_at: since } = order;
  const request = { shop_slug, order_id, since, ...(announcement && causeOf(announcement.events[0]!)) };
  const requests = (audience?.segmentSources ?? []).map((integration) => ({ ...request, integration }));
  return outgoing('segment_requests', requests);
}

/** Where the messages of fan-out go, in the order in which they are sent: events first. */
const senders = {
  deliveries: enqueue,
  runs: enqueueRuns,
  event_parts: enqueueParts,
  registrations: (messages: readonly RegistrationMessage[]) => enqueueRegistrations(messages, new Date()),
  tracking_requests: enqueueTrackingRequests,
  planning_parts: enqueueParts,
  segment_requests: enqueueSegmentRequests,
};

/** What must not hold events back: if its queue refuses it, its record is put aside, and the stream goes on. */
const canBePutAside: ReadonlySet<Destination> = new Set(['planning_parts', 'segment_requests']);

type Destination = keyof typeof senders;
type MessageTo<D extends Destination> = Parameters<(typeof senders)[D]>[0][number];

/** A message, and where it goes. */
export type Outgoing = { [D in Destination]: { to: D; message: MessageTo<D> } }[Destination];

const outgoing = <D extends Destination>(to: D, messages: readonly MessageTo<D>[]): Outgoing[] =>
  messages.map((message) => ({ to, message }) as Outgoing);

/** What a record leads to. */
export interface Sending {
  outgoing: readonly Outgoing[];
  error?: unknown;
}

/** A record of which a message does not reach its queue has failed. */
export async function send(records: readonly Sending[]): Promise<void> {
  for (const [to, sender] of Object.entries(senders) as [Destination, (messages: object[]) => Promise<void>][]) {
    const messages = records.flatMap((record) => record.outgoing.filter((one) => one.to === to));
    try {
      await sender(messages.map(({ message }) => message));
    } catch (error) {
      if (!(error instanceof NotEnqueued)) throw error;
      const refused = new Set<object>(error.messages);
      for (const record of records) {
        if (!record.outgoing.some(({ message }) => refused.has(message))) continue;
        record.error ??= canBePutAside.has(to) ? new RecordFault(error.name) : error;
      }
    }
  }
}

/** What an outbox item asks for: the parcels that one API request fulfilled, or all that are under way in a shop. */
type SubmissionItem = (Caused & Pick<TrackingRequestItem, 'kind' | 'shop_slug' | 'parcels'>) | TrackingBacklogItem;

/**
 * Sends parcels that are to be watched to the queue of our own connectors, or to the one that a connector of the operator
 * reads. It reads the providers only once for a batch.
 */
export function startSubmitting(isWatched: (slug: string) => Promise<boolean>) {
  const providers = loadOnce(readProviders);
  return async (item: SubmissionItem): Promise<Outgoing[]> => {
    const { shop_slug } = item;
    if (!(await isWatched(shop_slug))) return [];
    if (item.kind === 'tracking_backlog') {
      const { generation, since } = item;
      return outgoing('registrations', [{ shop_slug, backlog: { generation, since }, ...causeOf(item) }]);
    }
    const known = await providers('');
    const parcels = item.parcels.map((parcel) => ({ shop_slug, ...parcel }));
    const isTaken = ({ carrier_reference }: TrackingRequest) => providerFor(carrier_reference, known) !== undefined;
    return [
      ...outgoing(
        'registrations',
        parcels.filter(isTaken).map((parcel) => ({ ...parcel, ...causeOf(item) })),
      ),
      ...outgoing(
        'tracking_requests',
        parcels.filter((parcel) => !isTaken(parcel)),
      ),
    ];
  };
}
