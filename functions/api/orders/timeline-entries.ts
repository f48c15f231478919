import type { AutomationRun } from '#domain/automations/run.ts';
import { byCustomer, type Claim, type HistoryEntry, isDeleted } from '#domain/claims/claim-rules.ts';
import { type Delivery, isEnded, isRetried, nextAttemptAt, totalAttempts } from '#domain/deliveries/delivery-rules.ts';
import type { Order, OrderWithShipments, Shipment, ShipmentEvent } from '#domain/orders/model.ts';
import { allShipments } from '#domain/orders/order-rules.ts';
import type { StoredEvent } from '#domain/orders/outbox.ts';
import type { PageActivity } from '#domain/pages/page-visits.ts';
import { eventStrings, type Texts } from '#domain/texts/texts.ts';
import type { Withdrawal, WithdrawalStatus } from '#domain/withdrawals/withdrawal-rules.ts';
import type { SkipReason } from '#schemas/catalogues/emails.ts';
import { ratingLimits, timelineLimits } from '#schemas/catalogues/limits.ts';
import { isTowardsMerchant, phaseOf } from '#schemas/catalogues/shipment-events.ts';
import type { NotSentReason, TimelineEntry } from '#schemas/shapes/timeline-shapes.ts';

/** The entries of an order's timeline. Their titles are English sentences for people. */

/** Oldest first, the newest as far as the limit. What happened at the same time stays in the order in which it is given. */
export const toTimeline = (entries: readonly TimelineEntry[]): TimelineEntry[] =>
  entries.toSorted((a, b) => compare(a.at, b.at)).slice(-timelineLimits.entries);

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

export const orderEntries = (fullOrder: OrderWithShipments, texts: Texts): TimelineEntry[] => [
  ...placedEntries(fullOrder.order),
  ...allShipments(fullOrder).flatMap((shipment) => shipmentEntries(shipment, texts)),
];

function placedEntries(order: Order): TimelineEntry[] {
  const { order_number, order_placed_at, created_at } = order;
  const entry = (at: string, title: string): TimelineEntry => ({ at, kind: 'order', title, data: { order_number } });
  const placed = entry(order_placed_at, `Order ${order_number} was placed`);
  const received = entry(created_at, `The service received order ${order_number}`);
  const unread = (order.unread ?? []).map(({ at, field }) =>
    entry(at, `The shop's system sent a \`${field}\` that could not be read`),
  );
  return [placed, ...(order_placed_at === created_at ? [] : [received]), ...unread, ...erasedEntries(order)];
}

const erasedEntries = ({ order_number, erased_at, erased_by }: Order): TimelineEntry[] =>
  erased_at === undefined
    ? []
    : [
        {
          at: erased_at,
          kind: 'order',
          title: 'Personal data was erased',
          data: { order_number, erased_by: erased_by ?? null },
        },
      ];

function shipmentEntries(shipment: Shipment, texts: Texts): TimelineEntry[] {
  const { created_at: at, tracking_submission: submission } = shipment;
  const added: TimelineEntry = {
    at,
    kind: 'shipment',
    title: `${shipmentName(shipment)} was added`,
    data: parcelOf(shipment),
  };
  const events = shipment.events.map((event) => eventEntry(event, shipment, texts));
  return [added, ...events, ...(submission ? [submissionEntry(shipment, submission)] : [])];
}

function eventEntry(event: ShipmentEvent, shipment: Shipment, texts: Texts): TimelineEntry {
  const { event_name, time, location } = event;
  const phase = phaseOf(event_name, shipment.direction);
  const place = placeOf(location);
  const label = eventStrings(texts, event_name, shipment.direction).list_label;
  return {
    at: time,
    kind: 'event',
    title: `${shipmentName(shipment)}: ${label}${place === null ? '' : ` (${place})`}`,
    data: {
      ...parcelOf(shipment),
      event_name,
      phase,
      location: place,
      ...(location?.country_code && { country_code: location.country_code }),
    },
  };
}

function placeOf(location: ShipmentEvent['location']): string | null {
  const { city, country_code, country, full, formatted_address } = location ?? {};
  const parts = [city, country_code ?? country].filter((part) => part !== undefined && part !== '');
  return parts.join(', ') || full || formatted_address || null;
}

type Submission = NonNullable<Shipment['tracking_submission']>;

const submissionTexts: Record<Submission['status'], (parcel: string, provider: string) => string> = {
  submitted: (parcel, provider) => `${parcel} is watched by ${provider}`,
  pending: (parcel, provider) => `${parcel} waits to be watched by ${provider}`,
  refused: (parcel, provider) => `${provider} does not watch ${lowerFirst(parcel)}`,
};

function submissionEntry(shipment: Shipment, { provider, status, reason, at }: Submission): TimelineEntry {
  const title = submissionTexts[status](shipmentName(shipment), provider);
  const data = { ...parcelOf(shipment), provider, status, reason };
  return { at, kind: 'tracking_submission', title, data };
}

const parcelOf = ({ uuid, tracking_number, direction }: Shipment) => ({
  shipment_id: uuid,
  tracking_number,
  is_return: isTowardsMerchant(direction),
});

function shipmentName({ tracking_number, direction }: Shipment): string {
  const noun = isTowardsMerchant(direction) ? 'Return parcel' : 'Parcel';
  return tracking_number === null ? `${noun} without a tracking number` : `${noun} ${tracking_number}`;
}

export interface ClaimWithHistory {
  claim: Claim;
  history: readonly HistoryEntry[];
}

export const claimEntries = ({ claim, history }: ClaimWithHistory): TimelineEntry[] =>
  (isDeleted(claim) ? history.flatMap(withoutContent) : history)
    .filter(saysSomething)
    .map(({ at, by, by_name, action, changes, comment }) => ({
      at,
      kind: 'claim',
      title: claimTitle(claim, { action, changes, by }),
      data: {
        shipment_id: claim.shipment_id,
        claim: {
          uuid: claim.uuid,
          action,
          by,
          by_name,
          reason: claim.reason,
          status: claim.status,
          changes: [...changes],
          comment: comment ?? null,
        },
      },
    }));

const withdrawalTexts: Record<WithdrawalStatus, string> = {
  declared: 'The customer withdrew from the contract',
  accepted: 'The withdrawal was accepted',
  refunded: 'The withdrawal was refunded',
  rejected: 'The withdrawal was rejected',
};

export const withdrawalEntries = ({ uuid, history }: Withdrawal): TimelineEntry[] =>
  history.map(({ at, status, by, by_name, comment }) => ({
    at,
    kind: 'withdrawal',
    title: withdrawalTexts[status],
    data: { withdrawal: { uuid, status, by, by_name, comment } },
  }));

/** The erasure of a claim is told as that of its order. */
const saysSomething = ({ action, changes, comment }: HistoryEntry): boolean =>
  action !== 'updated' || changes.length > 0 || comment !== undefined;

const withoutContent = ({ comment: _comment, ...entry }: HistoryEntry): HistoryEntry[] =>
  entry.action === 'updated' || entry.action === 'message' ? [] : [{ ...entry, changes: [] }];

type ClaimChange = Pick<HistoryEntry, 'action' | 'changes' | 'by'>;

function claimTitle({ reason }: Claim, { action, changes, by }: ClaimChange): string {
  const claim = `The claim about ${inWords(reason)}`;
  if (action === 'created') return `${claim} was opened`;
  if (action === 'deleted') return `${claim} was deleted`;
  if (action === 'message') return `The ${by === byCustomer ? 'customer' : 'shop'} wrote in ${lowerFirst(claim)}`;
  const status = changes.find(({ field }) => field === 'status');
  if (status) return `${claim} is now ${status.to}`;
  return changes.length > 0 ? `${claim} was changed` : `${claim} got a comment`;
}

const inWords = (key: string) => key.replaceAll('_', ' ');

/** @param url of the endpoint, if the target is one */
export function deliveryEntry(delivery: Delivery, url: string | undefined): TimelineEntry {
  const { id, ref, event_group, created_at, updated_at, attempts } = delivery;
  // Those to customers have entries of their own.
  const kind = delivery.kind as Exclude<Delivery['kind'], 'email'>;
  const status = delivery.status as SentStatus;
  const last = attempts.at(-1);
  const target = kind === 'automation' ? delivery.target.slice(0, 36) : delivery.target;
  return {
    at: isEnded(delivery) ? updated_at : created_at,
    kind: 'delivery',
    title: deliveryTitle(delivery, url ?? (kind === 'automation' ? 'the webhook of an automation' : target)),
    data: {
      delivery: {
        id,
        target_kind: kind,
        target,
        url: url ?? null,
        ref,
        event_group,
        status,
        attempts: totalAttempts(delivery),
        last_error: (!isEnded(delivery) || status === 'failed') && last?.error !== undefined ? last.error : null,
        next_attempt_at: nextAttemptAt(delivery),
      },
    },
  };
}

/** Only an e-mail is skipped. */
type SentStatus = Exclude<Delivery['status'], 'skipped'>;

function deliveryTitle(delivery: Delivery, receiver: string): string {
  const { ref, attempts } = delivery;
  const status = delivery.status as SentStatus;
  const total = totalAttempts(delivery);
  const tries = total === 1 ? '1 attempt' : `${total} attempts`;
  switch (status) {
    case 'delivered':
      return `${ref} was delivered to ${receiver}${attempts.length > 1 ? ` after ${tries}` : ''}`;
    case 'failed':
      return `${ref} could not be delivered to ${receiver} in ${tries}`;
    case 'cancelled':
      return `${ref} was not sent to ${receiver}: it was cancelled`;
    case 'parked':
      return `${ref} waits until ${receiver} answers again`;
    case 'pending':
      if (isRetried(delivery)) {
        const due = nextAttemptAt(delivery);
        const error = attempts.at(-1)!.error;
        return `${ref} failed at ${receiver} (${error}) and is tried again${due === null ? '' : ` at ${due}`}`;
      }
      return `${ref} is being sent to ${receiver}${attempts.length > 0 ? `, ${tries} so far` : ''}`;
  }
}

/** What the customer was mailed, or why not. */
export function emailEntry(delivery: Delivery): TimelineEntry {
  const { id, ref, event_group, status, reason = null, created_at, updated_at, attempts, mail } = delivery;
  const error = status === 'failed' || isRetried(delivery) ? attempts.at(-1)?.error : undefined;
  return {
    at: isEnded(delivery) ? updated_at : created_at,
    kind: 'email',
    title: emailTexts[status](`The e-mail about ${ref}`, reason, error),
    data: {
      email: { delivery_id: id, ref, event_group, status, reason, last_error: error ?? null },
      ...(ref.startsWith('shipments/') && mail && { shipment_id: mail.subject_id }),
    },
  };
}

type EmailText = (mail: string, reason: SkipReason | null, error: string | undefined) => string;

const emailTexts: Record<Delivery['status'], EmailText> = {
  delivered: (mail) => `${mail} was sent`,
  skipped: (mail, reason) => `${mail} was not sent: ${reason === null ? 'nobody knows why' : skipTexts[reason]}`,
  failed: (mail, _reason, error) => `${mail} could not be sent (${error ?? 'unknown'})`,
  cancelled: (mail) => `${mail} was not sent: what it tells of is gone`,
  parked: (mail) => `${mail} waits until e-mails can be sent again`,
  pending: (mail, _reason, error) =>
    error === undefined ? `${mail} is being sent` : `${mail} failed (${error}) and is tried again`,
};

const skipTexts: Record<SkipReason, string> = {
  switched_off: 'the shop has switched it off',
  no_address: 'the order has no e-mail address',
  suppressed: 'the address gets no e-mails of the shop',
  stale: 'it is older than 24 hours',
  earlier_than_sent: 'the customer knows of a later state, or is told of it at once',
  already_sent: 'the customer has got it',
  simulated: 'the order is simulated',
};

const notSentTexts: Record<NotSentReason, string> = {
  no_group: 'it belongs to no event group',
  stale: 'by the present settings it was too old when it was recorded',
  switched_off: 'by the present settings all triggers are off',
  filtered: 'none of the present endpoints listens to it',
};

export function notSentEntry(
  { source, ref, triggered_at }: StoredEvent,
  shipment_id: string,
  reason: NotSentReason,
): TimelineEntry {
  const title = `None of the present webhooks and integrations was told of ${ref}: ${notSentTexts[reason]}`;
  // A withdrawal is about the whole order.
  const data = { ...(source !== 'withdrawals' && { shipment_id }), not_sent: { ref, reason } };
  return { at: triggered_at, kind: 'delivery', title, data };
}

const runTexts: Record<AutomationRun['status'], (name: string, run: AutomationRun) => string> = {
  scheduled: (name, { due_at }) => `Automation ${name} is due at ${due_at}`,
  pending: (name) => `Automation ${name} is about to run`,
  done: (name) => `Automation ${name} ran`,
  failed: (name) => `Automation ${name} failed`,
  skipped: (name, { reason }) => `Automation ${name} did nothing: ${inWords(reason ?? 'unknown')}`,
  tested: (name) => `Automation ${name} is in testing and did nothing`,
};

export function runEntry(run: AutomationRun, automation_name: string): TimelineEntry {
  const { id, automation_id, event, status, reason, due_at, finished_at } = run;
  return {
    at: finished_at ?? event.triggered_at,
    kind: 'automation_run',
    title: runTexts[status](`“${automation_name}”`, run),
    data: { run: { id, automation_id, automation_name, ref: event.ref, status, reason, due_at } },
  };
}

export const pageEntries = ({ visits, promotions, ratings }: PageActivity): TimelineEntry[] => [
  ...ratings.map(
    ({ at, shipment_id, stars, text }): TimelineEntry => ({
      at,
      kind: 'rating',
      title: `The customer gave the delivery ${stars === 1 ? '1 star' : `${stars} stars`} of ${ratingLimits.stars}`,
      data: { shipment_id, rating: { stars, text } },
    }),
  ),
  ...visits.map(
    (at): TimelineEntry => ({
      at,
      kind: 'page_view',
      title: 'The tracking page was opened',
      data: { view: 'visit' },
    }),
  ),
  ...promotions.map(
    ({ at, campaignId, what }): TimelineEntry => ({
      at,
      kind: 'page_view',
      title: what === 'shown' ? 'The tracking page showed a promotion' : 'The customer followed the promotion',
      data: { view: `promotion_${what}`, campaign_id: campaignId },
    }),
  ),
];

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
