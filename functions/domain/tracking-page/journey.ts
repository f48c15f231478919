import {
  type EventGroup,
  groupOf,
  type Phase,
  type ReturnState,
  returnStateOf,
} from '#schemas/catalogues/shipment-events.ts';
import type { IconName } from '#schemas/look/icons.ts';
import type { PageParcel } from '#schemas/shapes/tracking-page.ts';
import { timeOf } from './dates.ts';
import type { PageTexts } from './texts/page-texts.ts';

/** What the state of a parcel means to the customer: how it looks, how far it is, and what there is to do. */

export type Tone = 'moving' | 'arrived' | 'attention' | 'failed';
type Step = keyof PageTexts['progress']['steps'];
export type Situation = keyof PageTexts['next']['situations'];
export type Action = 'carrier' | 'report' | 'contact';

type Facts = Pick<PageParcel, 'event_name' | 'phase' | 'flag' | 'is_return' | 'pickup'>;

const groupFor = ({ event_name, is_return }: Facts): EventGroup | null =>
  groupOf(event_name, is_return ? 'customer_merchant' : 'merchant_customer');

export function situationOf(parcel: Facts, now: Date): Situation {
  if (parcel.event_name === 'CARRIER_UNKNOWN') return 'no_tracking';
  if (parcel.is_return) return returnSituation(parcel);
  if (parcel.phase === 'order_cancelled') return 'cancelled';
  const group = groupFor(parcel);
  const byGroup = group && situations[group];
  const situation = byGroup ? byGroup(parcel) : byPhase[parcel.phase];
  return situation === 'collect' ? collecting(parcel, now) : situation;
}

function collecting({ pickup }: Facts, now: Date): Situation {
  const end = timeOf(pickup?.date_to);
  if (!end) return 'collect';
  return end < now ? 'collect_late' : 'collect_until';
}

function returnSituation(parcel: Facts): Situation {
  const state = returnStateOf(parcel.event_name);
  if (parcel.flag !== 'error') return returnSituations[state];
  return state === 'delayed' && groupFor(parcel) === 'return_shipment_in_transit' ? 'at_customs' : 'return_stuck';
}

const returnSituations: Record<ReturnState, Situation> = {
  registered: 'return_registered',
  on_the_way: 'return_on_the_way',
  delayed: 'delayed',
  received: 'return_received',
  sent_back: 'return_stuck',
  failed: 'return_stuck',
  cancelled: 'return_cancelled',
};

const always = (situation: Situation) => () => situation;

/** What an event means by the notification that it sends. */
const situations: Partial<Record<EventGroup, (parcel: Facts) => Situation>> = {
  shipment_pre_transit: ({ flag }) =>
    (({ normal: 'preparing', delay: 'preparing_late', error: 'preparing_failed' }) as const)[flag],
  shipment_in_transit: always('on_the_way'),
  shipment_carrier_changed: always('on_the_way'),
  shipment_damaged: always('damaged_on_the_way'),
  shipment_carrier_delay: ({ flag }) => (flag === 'error' ? 'at_customs' : 'delayed'),
  shipment_delayed_due_to_customer_request: always('as_requested'),
  shipment_out_for_delivery: always('out_for_delivery'),
  shipment_delivery_failed: ({ flag }) => (flag === 'error' ? 'not_delivered' : 'not_at_home'),
  shipment_delivery_failed_forwarded_to_parcel_shop: always('going_to_shop'),
  shipment_delivery_failed_address_issue: always('wrong_address'),
  shipment_delivery_second_attempt: always('next_attempt'),
  shipment_delivered: always('delivered'),
  shipment_delivered_to_neighbour: always('delivered_neighbour'),
  shipment_delivered_to_letterbox: always('delivered_letterbox'),
  shipment_delivered_to_parcel_shop: always('collect'),
  shipment_delivered_to_parcel_locker: always('collect'),
  shipment_picked_up: always('delivered'),
  shipment_failed_returned: always('sent_back'),
  shipment_refused_then_returned: always('sent_back'),
  shipment_not_picked_up_then_returned: always('sent_back'),
};

/** For an event that sends no notification, such as a new estimate of the arrival. */
const byPhase: Record<Phase, Situation> = {
  order_created: 'preparing',
  order_processed: 'preparing',
  order_cancelled: 'cancelled',
  in_transit: 'on_the_way',
  in_delivery: 'out_for_delivery',
  collect: 'collect',
  delivered: 'delivered',
  delivery_failed: 'not_at_home',
  return_created: 'return_registered',
  return_transit: 'sent_back',
  returned: 'sent_back',
  return_received: 'sent_back',
  return_failed: 'not_delivered',
};

interface Meaning {
  tone: Tone;
  icon: IconName;
  /** What helps most comes first. */
  actions: readonly Action[];
}

const meanings: Record<Situation, Meaning> = {
  preparing: { tone: 'moving', icon: 'parcel', actions: ['contact'] },
  preparing_late: { tone: 'attention', icon: 'clock', actions: ['contact'] },
  preparing_failed: { tone: 'failed', icon: 'warning', actions: ['contact'] },
  no_tracking: { tone: 'attention', icon: 'warning', actions: ['contact'] },
  cancelled: { tone: 'failed', icon: 'warning', actions: ['contact'] },
  on_the_way: { tone: 'moving', icon: 'truck', actions: ['carrier'] },
  delayed: { tone: 'attention', icon: 'clock', actions: ['carrier', 'report'] },
  at_customs: { tone: 'attention', icon: 'warning', actions: ['carrier', 'contact'] },
  damaged_on_the_way: { tone: 'failed', icon: 'warning', actions: ['report', 'carrier'] },
  out_for_delivery: { tone: 'moving', icon: 'door', actions: ['carrier'] },
  as_requested: { tone: 'moving', icon: 'clock', actions: ['carrier'] },
  collect: { tone: 'attention', icon: 'shop', actions: ['carrier'] },
  collect_until: { tone: 'attention', icon: 'shop', actions: ['carrier'] },
  collect_late: { tone: 'failed', icon: 'warning', actions: ['carrier', 'contact'] },
  delivered: { tone: 'arrived', icon: 'check', actions: ['report'] },
  delivered_neighbour: { tone: 'arrived', icon: 'check', actions: ['carrier', 'report'] },
  delivered_letterbox: { tone: 'arrived', icon: 'check', actions: ['report'] },
  not_at_home: { tone: 'attention', icon: 'door', actions: ['carrier', 'contact'] },
  next_attempt: { tone: 'attention', icon: 'door', actions: ['carrier'] },
  going_to_shop: { tone: 'attention', icon: 'shop', actions: ['carrier'] },
  wrong_address: { tone: 'attention', icon: 'warning', actions: ['contact', 'carrier'] },
  not_delivered: { tone: 'failed', icon: 'warning', actions: ['report', 'contact'] },
  sent_back: { tone: 'failed', icon: 'return', actions: ['contact', 'report'] },
  return_registered: { tone: 'moving', icon: 'return', actions: ['carrier'] },
  return_on_the_way: { tone: 'moving', icon: 'return', actions: ['carrier'] },
  return_received: { tone: 'arrived', icon: 'check', actions: ['contact'] },
  return_stuck: { tone: 'failed', icon: 'warning', actions: ['contact', 'carrier'] },
  return_cancelled: { tone: 'failed', icon: 'warning', actions: ['contact'] },
};

export const meaningOf = (situation: Situation, parcel: Facts): Meaning =>
  meanings[situation].icon === 'shop' && groupFor(parcel) === 'shipment_delivered_to_parcel_locker'
    ? { ...meanings[situation], icon: 'locker' }
    : meanings[situation];

/** Whether an arrival is what the customer wants to know. */
export function isExpected({ phase, is_return, flag }: Facts): boolean {
  if (is_return || flag === 'error') return false;
  return ['delivery_failed', 'order_created', 'order_processed', 'in_transit', 'in_delivery'].includes(phase);
}

/** Whether the place where the parcel is collected is of interest. */
export const isForCollection = ({ phase, is_return }: Pick<Facts, 'phase' | 'is_return'>): boolean =>
  !is_return &&
  ['order_created', 'order_processed', 'in_transit', 'in_delivery', 'delivery_failed', 'collect'].includes(phase);

/** Whether a neighbour has the parcel now. */
export const isWithNeighbour = ({ phase, is_return, pickup }: Pick<Facts, 'phase' | 'is_return' | 'pickup'>): boolean =>
  !is_return && pickup?.type === 'neighbour' && (phase === 'delivered' || phase === 'collect');

/** Whether the carrier told of a damage, and it was not a return. */
export const wasDamaged = ({ events, is_return }: Pick<PageParcel, 'events' | 'is_return'>): boolean =>
  !is_return && events.some(({ event_name }) => groupOf(event_name, 'merchant_customer') === 'shipment_damaged');

/** Whether news may come soon. */
export const isUnderWay = ({ phase }: Pick<PageParcel, 'phase'>): boolean => !ended.includes(phase);

const ended: Phase[] = ['delivered', 'order_cancelled', 'returned', 'return_received', 'return_failed'];

export interface Progress {
  steps: readonly Step[];
  /** The place of the step where the parcel is. */
  current: number;
}

const at = (current: number, ...steps: Step[]): Progress => ({ steps, current });

const start: readonly Step[] = ['ordered', 'ready', 'on_the_way'];
const usual: readonly Step[] = [...start, 'out_for_delivery', 'delivered'];
const collected: readonly Step[] = [...start, 'to_collect', 'collected'];
const failedDelivery: readonly Step[] = ['ordered', 'on_the_way', 'not_delivered'];
const sentBack = at(3, ...failedDelivery, 'sent_back', 'back');

/** Of a parcel to the customer. */
const progressByPhase: Record<Phase, Progress> = {
  order_created: at(0, ...usual),
  order_processed: at(1, ...usual),
  order_cancelled: at(1, 'ordered', 'cancelled'),
  in_transit: at(2, ...usual),
  in_delivery: at(3, ...usual),
  collect: at(3, ...collected),
  delivered: at(4, ...usual),
  delivery_failed: at(3, ...start, 'not_delivered', 'delivered'),
  return_created: sentBack,
  return_transit: sentBack,
  returned: sentBack,
  return_received: at(4, ...failedDelivery, 'sent_back', 'back'),
  return_failed: at(3, ...failedDelivery, 'not_returned'),
};

const returnSteps: readonly Step[] = ['return_registered', 'return_on_the_way', 'return_received'];
const notReturned = at(2, 'return_registered', 'return_on_the_way', 'not_returned');

/** Of a parcel that the customer sends back. */
const progressOfReturn: Record<ReturnState, Progress> = {
  registered: at(0, ...returnSteps),
  on_the_way: at(1, ...returnSteps),
  delayed: at(1, ...returnSteps),
  received: at(2, ...returnSteps),
  sent_back: notReturned,
  failed: notReturned,
  cancelled: at(1, 'return_registered', 'cancelled'),
};

export function progressOf(parcel: Facts): Progress {
  const { phase, flag, is_return, event_name } = parcel;
  if (is_return) return progressOfReturn[returnStateOf(event_name)];
  if (phase === 'delivered' && groupFor(parcel) === 'shipment_picked_up') return at(4, ...collected);
  if (phase === 'delivery_failed' && flag === 'error') return at(3, ...start, 'not_delivered');
  if (groupFor(parcel) === 'shipment_delivery_failed_forwarded_to_parcel_shop') return at(2, ...collected);
  return progressByPhase[phase];
}
