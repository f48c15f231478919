import { readMessage } from '#domain/claims/message-store.ts';
import {
  type AttemptResult,
  type EndedAttempt,
  isTooLong,
  type MailSource,
  waitOf,
} from '#domain/deliveries/delivery-rules.ts';
import type { Pace } from '#domain/deliveries/pace-store.ts';
import { addressHash } from '#domain/emails/address-hash.ts';
import {
  type Circumstances,
  decide,
  handOverMs,
  type MailCandidate,
  parcelEvents,
  stepOf,
  withdrawalName,
} from '#domain/emails/email-rules.ts';
import { addressIn } from '#domain/emails/mail-address.ts';
import { loadMailOrder, type MailOrder } from '#domain/emails/mail-order.ts';
import { readMailState, releaseMail, reserveMail } from '#domain/emails/mail-state-store.ts';
import { type MadeMail, type MailTopic, makeMail } from '#domain/emails/make-mail.ts';
import { readSuppression } from '#domain/emails/suppression-store.ts';
import type { Shipment } from '#domain/orders/model.ts';
import { shipmentById } from '#domain/orders/order-rules.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { WriteConflict } from '#platform/table/writes.ts';
import { emailTarget, isMailedGroup, type MailedGroup, type SkipReason } from '#schemas/catalogues/emails.ts';
import type { ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import { change, type KnownDelivery } from './attempt-store.ts';
import {
  conclude,
  end,
  endedAttempt,
  isReady,
  type MessageResult,
  type Ready,
  type TargetState,
  throttleSeconds,
} from './deliver.ts';
import type { Job, Ports } from './job.ts';
import { readDeclaration } from './withdrawal-declaration.ts';

/**
 * Sends e-mails to customers. Whether one is sent is decided when it is its turn, from what is stored then. It is recorded
 * before it is handed over, so that no mail is sent twice, whoever dies: see email-rules.ts.
 */

export interface Mails {
  jobs: readonly Job[];
  prepare: (job: Job) => Promise<Ready | MessageResult>;
  target: TargetState;
  ports: Ports;
  hasTime: () => boolean;
  /** Does the rest for the message of a job. Never throws. */
  finish: (job: Job, work: () => Promise<MessageResult>) => Promise<void>;
  maxConcurrent: number;
}

export const deliverMails = (mails: Mails): Promise<unknown> =>
  mapConcurrently(mails.jobs, (job) => mails.finish(job, () => deliverMail(job, mails)), mails.maxConcurrent);

async function deliverMail(job: Job, mails: Mails): Promise<MessageResult> {
  if (!mails.hasTime()) return 'back_at_once';
  const { ports } = mails;
  const ready = await mails.prepare(job);
  if (!isReady(ready)) return ready;
  const { delivery } = ready;
  const letter = delivery.mail && (await letterOf(delivery, delivery.mail, ports.now()));
  // What it tells of is gone: the order, the parcel or the claim.
  if (!letter) return end(delivery, 'cancelled', ports, 'nothing_to_tell');
  return sendOnce(job, ready, letter, mails);
}

/** A mail before it is decided whether it is sent. */
interface Letter {
  order: MailOrder;
  candidate: MailCandidate;
  topic: MailTopic;
  address: string | undefined;
  circumstances: Omit<Circumstances, 'now'>;
}

/** How often a decision is made anew because somebody else recorded a mail about the same order. */
const maxDecisions = 10;

async function sendOnce(job: Job, ready: Ready, letter: Letter, { target, ports }: Mails): Promise<MessageResult> {
  const { delivery } = ready;
  const { order, candidate } = letter;
  const { uuid: orderId, simulation_id } = order.fullOrder.order;
  const place = { slug: order.slug, orderId, simulation_id };
  let mail: MadeMail | undefined;
  for (let decisions = 0; decisions < maxDecisions; decisions++) {
    const state = await readMailState(place);
    const decision = decide(candidate, state, { ...letter.circumstances, now: ports.now() });
    if (decision === 'unknown') return concludeUnknown(job, ready, target, ports);
    if (decision !== 'send') {
      return 'skip' in decision ? skip(delivery, decision.skip, ports) : waitFor(job, ready, decision, ports);
    }
    // What takes time comes before the record: from then on the mail has a few seconds.
    mail ??= await makeMail(order, letter.topic, letter.address!, ports.now());
    if (!mail) return end(delivery, 'cancelled', ports, 'nothing_to_tell');
    const turn = await turnFor(job, ports);
    if (turn.waitSeconds > 0) return waitFor(job, ready, turn, ports);
    const reservedAt = ports.now();
    try {
      await reserveMail(place, state, candidate, reservedAt);
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
      continue;
    }
    return handOver(job, ready, { letter, mail, place, reservedAt }, target, ports);
  }
  // Many mails about one order at once: its message comes again.
  throw new WriteConflict([]);
}

interface Reserved {
  letter: Letter;
  mail: MadeMail;
  place: Parameters<typeof reserveMail>[0];
  reservedAt: Date;
}

async function handOver(
  job: Job,
  ready: Ready,
  { letter, mail, place, reservedAt }: Reserved,
  target: TargetState,
  ports: Ports,
): Promise<MessageResult> {
  const { candidate, order, address } = letter;
  const began = ports.now();
  // Others take the mail for sent after a while, so one that comes too late must not be sent.
  if (began.getTime() - reservedAt.getTime() > handOverMs) {
    await releaseMail(place, candidate);
    return 'back_at_once';
  }
  const { subject, html, text, headers, language } = mail;
  const { settings, storefront } = order;
  const result = await ports.sendMail(
    {
      fromName: settings.sender_name ?? storefront.shop.name,
      to: address!,
      replyTo: settings.reply_to,
      ...{ subject, html, text, headers },
      tags: { shop: place.slug, delivery: candidate.delivery_id, order: place.orderId },
    },
    { deadlineMs: handOverMs },
  );
  const ended = (outcome: AttemptResult) => endedAttempt(began, ports.now(), outcome);
  if ('messageId' in result) {
    const response = JSON.stringify({ message_id: result.messageId, language });
    return conclude(job, ready, ended({ status: 200, response }), target.circuit, ports);
  }
  const { error, isFinal, isThrottled, isUnknown } = result;
  if (isUnknown) return concludeUnknown(job, ready, target, ports, ended({ ...unknown, response: error }));
  await releaseMail(place, candidate);
  const refused = { error, ...(isFinal && { isFinal }), ...(isThrottled && { isThrottled }) };
  if (isThrottled) {
    const now = ports.now();
    await ports.pace.postpone(everyShop, emailTarget, throttleSeconds(refused, now), pace(), now);
  }
  return conclude(job, ready, ended(refused), target.circuit, ports);
}

const unknown = { error: 'outcome_unknown', isFinal: true } satisfies AttemptResult;

/**
 * Nobody knows whether the mail was sent, so it is not sent again, unless the merchant wants that.
 * @param ended the attempt, if this worker made it
 */
function concludeUnknown(
  job: Job,
  ready: Ready,
  { circuit }: TargetState,
  ports: Ports,
  ended?: EndedAttempt,
): Promise<MessageResult> {
  const { delivery } = ready;
  // An attempt that is never made again counts as an answer of the target, but this one got none.
  const failure = async (now: Date) => {
    if (ended) await circuit.failure(delivery.id, now);
  };
  const attempt = ended ?? endedAttempt(ports.now(), ports.now(), unknown);
  return conclude(job, ready, attempt, { ...circuit, success: failure }, ports);
}

async function skip(delivery: KnownDelivery, reason: SkipReason, { now }: Ports): Promise<MessageResult> {
  await change(delivery, { status: 'skipped', reason }, now());
  return 'done';
}

function waitFor(
  job: Job,
  { delivery }: Ready,
  { waitSeconds, hasTurn = job.hasTurn }: { waitSeconds: number; hasTurn?: boolean },
  ports: Ports,
): Promise<MessageResult> | MessageResult {
  const wait = waitOf(delivery, job.wait, ports.now());
  return isTooLong(wait, ports.now()) ? end(delivery, 'failed', ports, 'rate_limited') : { waitSeconds, hasTurn, wait };
}

/** SES counts the mails of all shops together. No shop has such a slug. */
const everyShop = '*';

const pace = (): Pace => {
  const perSecond = Number(process.env.EMAIL_MAX_PER_SECOND) || 1;
  return { perMinute: 60 * perSecond, burst: perSecond };
};

const turnFor = async ({ hasTurn }: Job, ports: Ports) =>
  hasTurn ? { waitSeconds: 0, hasTurn } : ports.pace.takeTurns(everyShop, emailTarget, 1, pace(), ports.now());

/** Undefined if what it tells of is gone. */
async function letterOf(delivery: KnownDelivery, source: MailSource, now: Date): Promise<Letter | undefined> {
  const slug = delivery.shop_slug;
  const order = await loadMailOrder(slug, source.order_id, now);
  const told = order && (await toldIn(delivery, source, order));
  if (!told) return undefined;
  const { candidate, topic, shipment } = told;
  const { simulation_id, simulation_emails, email_id } = order.fullOrder.order;
  const address = addressIn(told.address ?? email_id);
  const suppressed = address && (await readSuppression(slug, await addressHash(slug, address)))?.reason;
  const isSimulated = simulation_id !== undefined;
  return {
    order,
    candidate,
    topic,
    address,
    circumstances: {
      // A mail leads to the page.
      settings: { ...order.settings, enabled: order.settings.enabled && order.storefront.settings.enabled },
      isSimulated: isSimulated && simulation_emails !== true,
      address: address === undefined ? undefined : { suppressed: suppressed || undefined },
      events: shipment ? parcelEvents(shipment.events, shipment.direction) : [],
      // A simulated clock may have moved on since.
      today: isSimulated ? new Date(source.time) : now,
    },
  };
}

interface Told {
  candidate: MailCandidate;
  topic: MailTopic;
  shipment?: Shipment;
  /** Where it goes, if not to the address of the order. */
  address?: string;
}

async function toldIn(delivery: KnownDelivery, source: MailSource, order: MailOrder): Promise<Told | undefined> {
  const { id: delivery_id, ref, event_group, run_since: run } = delivery;
  const { subject_id: subject, time } = source;
  const common = { delivery_id, run, subject, time };
  const [kind, , event_name] = ref.split('/') as [string, string, ShipmentEventName];
  if (kind === 'shipments') {
    const shipment = shipmentById(order.fullOrder, subject);
    if (!shipment || !isMailedGroup(event_group)) return undefined;
    const step = stepOf(event_name, shipment.direction);
    const candidate = { ...common, kind: 'parcel' as const, name: event_group, group: event_group, step, event_name };
    return { candidate, topic: { kind: 'parcel', shipment }, shipment };
  }
  if (kind === 'withdrawals') {
    const declared = await readDeclaration(delivery.shop_slug, subject);
    const candidate = { ...common, kind: 'withdrawal' as const, name: withdrawalName, group: null, step: 0 };
    return declared && { candidate, topic: { kind: 'withdrawal', ...declared }, address: declared.address };
  }
  return toldInClaim(delivery, source, common);
}

type Common = Pick<MailCandidate, 'delivery_id' | 'run' | 'subject' | 'time'>;

async function toldInClaim(delivery: KnownDelivery, source: MailSource, common: Common): Promise<Told | undefined> {
  const { event_group, shop_slug, subject_version: version = 0 } = delivery;
  const { subject_id: claimId, message_id } = source;
  if (message_id !== undefined) {
    const message = await readMessage(shop_slug, claimId, message_id);
    // Customers know the shop, and none of its people or keys.
    const told = message && { ...message, author: null };
    // Every message is sent, whatever the customer knows of the claim.
    const ofMessage = { ...common, subject: message_id, name: 'message', group: null, step: 0 };
    const candidate = { ...ofMessage, kind: 'claim_message' as const };
    return told && { candidate, topic: { kind: 'claim_message', claimId, message: told } };
  }
  const isNew = event_group === 'claim_created';
  const name = isNew ? event_group : `${event_group}#${version}`;
  const candidate = { ...common, kind: 'claim' as const, name, group: event_group as MailedGroup, step: version };
  return { candidate, topic: { kind: isNew ? 'claim_created' : 'claim_updated', claimId } };
}
