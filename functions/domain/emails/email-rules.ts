import { inOrder } from '#domain/orders/shipment-rules.ts';
import {
  isMailedGroup,
  type MailedGroup,
  type SkipReason,
  type SuppressionReason,
} from '#schemas/catalogues/emails.ts';
import {
  type Direction,
  groupOf,
  isTowardsMerchant,
  type Phase,
  phaseOf,
  type ReturnState,
  returnStateOf,
  type ShipmentEventName,
} from '#schemas/catalogues/shipment-events.ts';
import type { EmailSettings } from './email-settings.ts';

/** Which e-mail is sent, which is not, and why. */

/** What one delivery could tell a customer. */
export interface MailCandidate {
  kind: 'parcel' | 'claim' | 'claim_message' | 'withdrawal';
  delivery_id: string;
  /** When its merchant sent it again, for the last time. */
  run?: string | undefined;
  /** The uuid of the parcel, the claim or the withdrawal that it tells of. Mails about one subject are in an order. */
  subject: string;
  /** Which of the mails about the subject it is: of those with the same name one is sent. */
  name: string;
  /** How far the subject is. No mail goes back. */
  step: number;
  group: MailedGroup | null;
  /** When it happened. */
  time: string;
  /** Of a parcel. */
  event_name?: ShipmentEventName;
}

/**
 * A mail that was sent, or is being sent: it is recorded before. Nobody knows of one whether it was sent if its worker died,
 * so it counts as sent.
 */
export interface MailRecord
  extends Pick<MailCandidate, 'delivery_id' | 'run' | 'subject' | 'name' | 'step' | 'time' | 'event_name'> {
  at: string;
}

/** What was mailed about one order. */
export interface MailState {
  /** 0 if nothing was. */
  version: number;
  mails: readonly MailRecord[];
}

/** What is so when it is the turn of a mail. */
export interface Circumstances {
  settings: Pick<EmailSettings, 'enabled' | 'groups'>;
  /** The order is simulated, and its simulation sends no mails. */
  isSimulated: boolean;
  /** The customer's, and why the shop may not write to it. */
  address: { suppressed?: SuppressionReason | undefined } | undefined;
  /** What happened to the parcel so far. */
  events: readonly ParcelEvent[];
  now: Date;
  /** The time that ages are counted to: of a simulated order, that of its event. */
  today: Date;
}

export interface ParcelEvent {
  event_name: ShipmentEventName;
  time: string;
  group: string | null;
  step: number;
}

/** `unknown`: a worker before this one began to send this very mail, and nobody knows whether it did. */
export type Decision = 'send' | 'unknown' | { skip: SkipReason } | { waitSeconds: number };

/** A record that is younger may be of a mail that another worker is sending or is about to take back. */
const unsettledMs = 20_000;

/** Within this time after its record a mail is handed over, or not at all; and within the next, SES has answered. */
export const handOverMs = 5_000;

const day = 24 * 3_600_000;

export function decide(candidate: MailCandidate, state: MailState, circumstances: Circumstances): Decision {
  const own = state.mails.find((mail) => isSameRun(mail, candidate));
  if (own) return waitFor([own], circumstances.now) ?? 'unknown';
  const reason = reasonOf(candidate, circumstances);
  if (reason) return { skip: reason };
  const others = state.mails.filter(({ subject }) => subject === candidate.subject);
  const wait = waitFor(others, circumstances.now);
  if (wait) return wait;
  // The merchant wants it although it may have been sent.
  if (candidate.run !== undefined) return 'send';
  if (others.some(({ name }) => name === candidate.name)) return { skip: 'already_sent' };
  const isEarlier = others.some((mail) => isLater(mail, candidate)) || isOvertaken(candidate, others, circumstances);
  return isEarlier ? { skip: 'earlier_than_sent' } : 'send';
}

type Moment = Pick<MailCandidate, 'step' | 'time' | 'event_name'>;

/** Of a further step, or of the same and later in the order of events. What is no event of a parcel has only its time. */
function isLater(one: Moment, than: Moment): boolean {
  if (one.step !== than.step) return one.step > than.step;
  if (one.event_name === undefined || than.event_name === undefined) return one.time > than.time;
  return inOrder({ ...one, event_name: one.event_name }, { ...than, event_name: than.event_name }) > 0;
}

const isSameRun = (mail: MailRecord, { delivery_id, run }: MailCandidate): boolean =>
  mail.delivery_id === delivery_id && mail.run === run;

/** Why nothing is sent, whatever was sent before. */
function reasonOf(candidate: MailCandidate, circumstances: Circumstances): SkipReason | undefined {
  const { settings, isSimulated, address, today } = circumstances;
  const isAskedFor = candidate.run !== undefined;
  if (isSimulated) return 'simulated';
  if (!isAskedFor && !isSwitchedOn(candidate, settings)) return 'switched_off';
  if (!address) return 'no_address';
  if (address.suppressed && isSuppressed(candidate, address.suppressed)) return 'suppressed';
  // The law wants a withdrawal acknowledged, however late.
  if (!isAskedFor && candidate.kind !== 'withdrawal' && isStale(candidate, today)) return 'stale';
  return undefined;
}

/** A message is the shop's own wish, and its acknowledgement is a duty of the shop. */
function isSwitchedOn({ kind, group }: MailCandidate, { enabled, groups }: Circumstances['settings']): boolean {
  if (kind === 'withdrawal') return true;
  return enabled && (kind === 'claim_message' || (group !== null && groups[group]));
}

/** Who unsubscribed still gets the answers that they asked for. */
const isSuppressed = ({ kind }: MailCandidate, reason: SuppressionReason): boolean =>
  kind !== 'withdrawal' && !(kind === 'claim_message' && reason === 'unsubscribed');

const isStale = ({ time }: { time: string }, today: Date): boolean => today.getTime() - Date.parse(time) > day;

/** Until it is settled whether these were sent. Undefined if it is. */
function waitFor(mails: readonly MailRecord[], now: Date): { waitSeconds: number } | undefined {
  const youngest = Math.max(...mails.map(({ at }) => Date.parse(at)));
  const leftMs = youngest + unsettledMs - now.getTime();
  return leftMs > 0 ? { waitSeconds: Math.ceil(leftMs / 1000) } : undefined;
}

/**
 * Whether the parcel has already had a later event that is mailed in its own turn: of several that come at once, the
 * newest is mailed. One that will not be mailed itself holds nothing back.
 */
function isOvertaken(candidate: MailCandidate, mailed: readonly MailRecord[], circumstances: Circumstances): boolean {
  const { settings, events, today } = circumstances;
  return events.some(
    (event) =>
      isLater(event, candidate) &&
      isMailedGroup(event.group) &&
      settings.groups[event.group] &&
      !isStale(event, today) &&
      !mailed.some(({ name }) => name === event.group),
  );
}

/** The state in which a mail is recorded, before it is sent. */
export function withMail({ version, mails }: MailState, candidate: MailCandidate, now: Date): MailState {
  const { delivery_id, run, subject, name, step, time, event_name } = candidate;
  const before = mails.filter((mail) => mail.delivery_id === delivery_id).at(-1);
  // However often a merchant sends a mail again, two records of it are enough.
  const others = mails.filter((mail) => mail.delivery_id !== delivery_id || mail === before);
  const kept = others.length < maxRecords ? others : others.filter((mail) => !isSettled(mail, now));
  const mail = {
    delivery_id,
    ...(run !== undefined && { run }),
    ...{ subject, name, step, time },
    ...(event_name !== undefined && { event_name }),
    at: now.toISOString(),
  };
  return { version: version + 1, mails: [...kept, mail] };
}

/** Far below the 400 KB of an item. Parcels alone hardly make so many, but claims and their messages have no end. */
const maxRecords = 1000;

/** What is repeated of a claim after two days is stale. A parcel may go back at any time, and a withdrawal is never stale. */
const isSettled = ({ event_name, name, at }: MailRecord, now: Date): boolean =>
  event_name === undefined && name !== withdrawalName && now.getTime() - Date.parse(at) > 2 * day;

/** A withdrawal has one mail. */
export const withdrawalName = 'withdrawal';

/** The state after a mail that was certainly not sent. */
export const withoutMail = ({ version, mails }: MailState, candidate: MailCandidate): MailState => ({
  version: version + 1,
  mails: mails.filter((mail) => !isSameRun(mail, candidate)),
});

/**
 * How far a parcel is: the order of the steps on the progress bar of its page. A bar of a parcel that comes back goes on where
 * that of the way to the customer ends.
 */
export const stepOf = (name: ShipmentEventName, direction: Direction): number =>
  isTowardsMerchant(direction) ? stepsOfReturn[returnStateOf(name)] : steps[phaseOf(name, direction)];

const steps: Record<Phase, number> = {
  order_created: 0,
  order_processed: 1,
  in_transit: 2,
  in_delivery: 3,
  delivery_failed: 3,
  collect: 3,
  delivered: 4,
  return_created: 5,
  return_transit: 5,
  returned: 5,
  return_received: 6,
  return_failed: 6,
  order_cancelled: 7,
};

const stepsOfReturn: Record<ReturnState, number> = {
  registered: 0,
  on_the_way: 1,
  delayed: 1,
  received: 2,
  sent_back: 2,
  failed: 2,
  cancelled: 3,
};

/** What happened to a parcel, as the rules need it. */
export const parcelEvents = (
  events: readonly { event_name: ShipmentEventName; time: string }[],
  direction: Direction,
): ParcelEvent[] =>
  events.map(({ event_name, time }) => ({
    event_name,
    time,
    group: groupOf(event_name, direction),
    step: stepOf(event_name, direction),
  }));
