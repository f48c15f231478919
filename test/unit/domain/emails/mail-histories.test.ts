import { expect, it } from 'vitest';
import {
  type Decision,
  decide,
  handOverMs,
  type MailCandidate,
  type MailState,
  type ParcelEvent,
  parcelEvents,
  stepOf,
  withMail,
  withoutMail,
} from '#domain/emails/email-rules.ts';
import { toEmailSettings } from '#domain/emails/email-settings.ts';
import { inOrder } from '#domain/orders/shipment-rules.ts';
import { type MailedGroup, skipReasons } from '#schemas/catalogues/emails.ts';
import { groupOf, type ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import { randomFrom } from '#test/kit/random-from.ts';

/**
 * Parcels whose events come shuffled, repeated and in pieces, and workers that run at the same time, with clocks that differ,
 * and die anywhere. What they send is looked at in the end.
 */

const histories = 10_000;

it(`no mail is sent twice and none goes back, in ${histories} histories`, () => {
  const seen = { mails: 0, deaths: 0, skips: new Set<string>() };
  for (let seed = 1; seed <= histories; seed++) {
    const world = new World(seed);
    world.run();
    const faults = world.faults();
    if (faults.length > 0) expect.fail(`history ${seed}: ${faults.join('; ')}`);
    seen.mails += world.sent.length;
    seen.deaths += world.deaths;
    for (const { reason } of world.deliveries.values()) if (reason) seen.skips.add(reason);
  }
  // The histories are such that all of it happens.
  expect(seen.mails).toBeGreaterThan(histories);
  expect(seen.deaths).toBeGreaterThan(histories);
  expect([...seen.skips].sort()).toEqual([...skipReasons].sort());
});

const names: readonly ShipmentEventName[] = [
  'ORDER_PROCESSED',
  'SHIPMENT_EN_ROUTE',
  'ARRIVED_AT_SORTING_CENTER',
  'DELAY_IN_TRANSPORT',
  'OUT_FOR_DELIVERY',
  'DELIVERY_ATTEMPTED',
  'DELIVERY_ATTEMPTED_FORWARDING_TO_PICKUP_LOCATION',
  'ARRIVED_AT_PARCEL_SHOP',
  'SUCCESSFULLY_DELIVERED',
  'SHIPMENT_RETURNING_TO_SENDER',
];

interface Delivery {
  candidate: MailCandidate;
  status: 'pending' | 'sent' | 'failed' | 'skipped';
  reason?: string;
}

interface Sent {
  candidate: MailCandidate;
  at: number;
}

/** Of an earlier step, or of an earlier event of the same step. */
const isBefore = (a: MailCandidate, b: MailCandidate): boolean =>
  (a.step - b.step || inOrder(momentOf(a), momentOf(b))) < 0;

const momentOf = ({ event_name, time }: MailCandidate) => ({ event_name: event_name!, time });

/** What a worker does between two moments at which it can die or others can act. */
type Worker = Generator<void, void>;

const direction = 'merchant_customer';
const hour = 3_600_000;
const visibilityMs = 6 * 60_000;

class World {
  now = Date.parse('2026-03-10T12:00:00Z');
  state: MailState = { version: 0, mails: [] };
  readonly sent: Sent[] = [];
  readonly deliveries = new Map<string, Delivery>();
  deaths = 0;
  readonly #random: () => number;
  readonly #events = new Map<string, ParcelEvent[]>();
  readonly #arriving: { parcel: string; event_name: ShipmentEventName; time: string }[];
  readonly #messages: { delivery: string; visibleAt: number }[] = [];
  readonly #workers = new Map<Worker, string>();
  /** Nothing dies, stands still or comes twice, nothing is refused, nobody sends again, and nothing is switched off. */
  readonly isCalm: boolean;
  readonly #settings;
  readonly #isSimulated: boolean;
  readonly #address;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
    this.isCalm = this.#chance(0.2);
    const groups = this.isCalm || this.#chance(0.5) ? {} : { [this.#groupOfAny()]: this.#chance(0.5) };
    this.#settings = toEmailSettings({ emails: { enabled: this.isCalm || this.#chance(0.97), groups } });
    this.#isSimulated = !this.isCalm && this.#chance(0.02);
    const suppressed = !this.isCalm && this.#chance(0.03) ? ('bounce' as const) : undefined;
    this.#address = !this.isCalm && this.#chance(0.03) ? undefined : { suppressed };
    this.#arriving = this.#shuffled(
      ['first', 'second'].slice(0, 1 + this.#upTo(1)).flatMap((one) => this.#journey(one)),
    );
  }

  /** Anything happens in any order, and in the end everybody finishes. */
  run(): void {
    for (let action = 0; action < 80; action++) this.#act();
    for (const { parcel, event_name, time } of this.#arriving.splice(0)) this.#arrive(parcel, event_name, time);
    for (let round = 0; round < 200 && this.#messages.length + this.#workers.size > 0; round++) {
      this.now += 5000 + this.#upTo(30_000);
      while (this.#receive()) while (this.#workers.size > 0) this.#step();
      while (this.#workers.size > 0) this.#step();
    }
  }

  faults(): string[] {
    const faults: string[] = [];
    for (const [id, { status, reason }] of this.deliveries) {
      if (status === 'pending') faults.push(`${id} never ended`);
      if ((status === 'skipped') !== (reason !== undefined)) faults.push(`${id} was skipped without a reason`);
    }
    const runs = this.sent.map(({ candidate }) => `${candidate.delivery_id} ${candidate.run}`);
    if (new Set(runs).size < runs.length) faults.push('one run sent a mail twice');
    const own = this.sent.filter(({ candidate }) => candidate.run === undefined).sort((a, b) => a.at - b.at);
    for (const parcel of this.#events.keys()) {
      const mails = own.filter(({ candidate }) => candidate.subject === parcel).map(({ candidate }) => candidate);
      if (new Set(mails.map(({ name }) => name)).size < mails.length) faults.push('a group was mailed twice');
      if (mails.some((mail, i) => i > 0 && isBefore(mail, mails[i - 1]!))) faults.push('a mail went back');
      if (this.isCalm && mails.length === 0 && this.#hasNews(parcel)) faults.push('news was not mailed');
    }
    return faults;
  }

  #hasNews(parcel: string): boolean {
    const { groups } = this.#settings;
    const isNew = ({ time }: ParcelEvent) => this.now - Date.parse(time) < 20 * hour;
    return this.#events.get(parcel)!.some((event) => groups[event.group as MailedGroup] && isNew(event));
  }

  #act(): void {
    const dice = this.#random();
    if (dice < 0.15) this.#arriveNext();
    else if (dice < 0.4) this.#receive();
    else if (dice < 0.8) this.#step();
    else if (dice < 0.88 && !this.isCalm) this.#die();
    else if (dice < 0.9 && !this.isCalm) this.#sendAgain();
    else if (!this.isCalm) this.now += this.#upTo(this.#chance(0.9) ? 9000 : hour);
    else if (this.#workers.size === 0) this.now += this.#upTo(9000);
  }

  /** What a carrier tells about a parcel. */
  #journey(parcel: string) {
    this.#events.set(parcel, []);
    const from = this.now - (this.isCalm || this.#chance(0.8) ? 2 * hour : 25 * hour);
    const told = names.filter(() => this.#chance(0.5));
    const again = told.length > 0 && this.#chance(0.3) ? [told[this.#upTo(told.length - 1)]!] : [];
    return [...told, ...again].map((event_name, i) => ({
      parcel,
      event_name,
      time: new Date(from + i * 8 * 60_000).toISOString(),
    }));
  }

  #arriveNext(): void {
    // Sometimes several at once.
    for (const next of this.#arriving.splice(0, 1 + (this.#chance(0.3) ? this.#upTo(3) : 0))) {
      this.#arrive(next.parcel, next.event_name, next.time);
    }
  }

  #arrive(parcel: string, event_name: ShipmentEventName, time: string): void {
    this.#events.get(parcel)!.push(...parcelEvents([{ event_name, time }], direction));
    const group = groupOf(event_name, direction) as MailedGroup;
    const delivery_id = `${parcel} ${event_name} ${time}`;
    const step = stepOf(event_name, direction);
    const about = { subject: parcel, name: group, group, step, time, event_name };
    this.deliveries.set(delivery_id, { candidate: { kind: 'parcel', delivery_id, ...about }, status: 'pending' });
    for (let copies = !this.isCalm && this.#chance(0.2) ? 2 : 1; copies > 0; copies--) this.#send(delivery_id, 0);
  }

  #send(delivery: string, afterMs: number): void {
    this.#messages.push({ delivery, visibleAt: this.now + afterMs });
  }

  /** A worker takes a message that anybody may take. */
  #receive(): boolean {
    const visible = this.#messages.filter(({ visibleAt }) => visibleAt <= this.now);
    if (visible.length === 0) return false;
    const message = visible[this.#upTo(visible.length - 1)]!;
    this.#messages.splice(this.#messages.indexOf(message), 1);
    this.#workers.set(this.#deliver(message.delivery, this.#upTo(4000) - 2000), message.delivery);
    return true;
  }

  #step(): void {
    const [worker] = this.#anyWorker();
    if (worker?.next().done) this.#workers.delete(worker);
  }

  #die(): void {
    const [worker, delivery] = this.#anyWorker();
    if (!worker) return;
    this.deaths++;
    this.#workers.delete(worker);
    this.#send(delivery!, visibilityMs);
  }

  #anyWorker(): [Worker, string] | [] {
    return [...this.#workers][this.#upTo(this.#workers.size - 1)] ?? [];
  }

  #sendAgain(): void {
    const ended = [...this.deliveries.values()].filter(({ status }) => status !== 'pending');
    const one = ended[this.#upTo(ended.length - 1)];
    if (!one) return;
    one.candidate = { ...one.candidate, run: `${this.now}` };
    one.status = 'pending';
    delete one.reason;
    this.#send(one.candidate.delivery_id, 0);
  }

  /** As functions/pipeline/delivery/email.ts does it. @param skew how much the worker's clock differs */
  *#deliver(id: string, skew: number): Worker {
    const delivery = this.deliveries.get(id)!;
    const clock = () => new Date(this.now + skew);
    yield;
    if (delivery.status !== 'pending') return;
    const { candidate } = delivery;
    const isOfRun = () => delivery.candidate === candidate && delivery.status === 'pending';
    const events = [...this.#events.get(candidate.subject)!];
    for (let tries = 0; tries < 10; tries++) {
      yield;
      const before = this.state;
      const decision = this.#decide(candidate, before, events, clock());
      yield;
      if (decision === 'unknown') {
        if (isOfRun()) delivery.status = 'failed';
        return;
      }
      if (decision !== 'send') {
        if ('waitSeconds' in decision) this.#send(id, decision.waitSeconds * 1000);
        else if (isOfRun()) Object.assign(delivery, { status: 'skipped', reason: decision.skip });
        return;
      }
      const reservedAt = clock();
      yield;
      if (this.state.version !== before.version) continue;
      this.state = withMail(before, candidate, reservedAt);
      yield;
      if (clock().getTime() - reservedAt.getTime() > handOverMs) {
        this.state = withoutMail(this.state, candidate);
        return this.#send(id, 0);
      }
      const outcome = this.#handOver(candidate);
      yield;
      if (outcome === 'refused') {
        this.state = withoutMail(this.state, candidate);
        yield;
        return this.#send(id, 10_000);
      }
      if (isOfRun()) delivery.status = outcome === 'sent' ? 'sent' : 'failed';
      return;
    }
    this.#send(id, 10_000);
  }

  #decide(candidate: MailCandidate, state: MailState, events: ParcelEvent[], now: Date): Decision {
    const more = { settings: this.#settings, isSimulated: this.#isSimulated, address: this.#address };
    return decide(candidate, state, { ...more, events, now, today: now });
  }

  /** SES sends a mail within its deadline, and may not say so. */
  #handOver(candidate: MailCandidate): 'sent' | 'refused' | 'unknown' {
    if (!this.isCalm && this.#chance(0.15)) return 'refused';
    const isUnknown = !this.isCalm && this.#chance(0.1);
    if (!isUnknown || this.#chance(0.5)) this.sent.push({ candidate, at: this.now + this.#upTo(handOverMs) });
    return isUnknown ? 'unknown' : 'sent';
  }

  #groupOfAny = () => groupOf(names[this.#upTo(names.length - 1)]!, direction)!;
  #chance = (share: number) => this.#random() < share;
  #upTo = (most: number) => Math.floor(this.#random() * (most + 1));
  #shuffled = <T>(list: T[]): T[] =>
    list
      .map((value) => ({ value, place: this.isCalm ? 0 : this.#random() }))
      .sort((a, b) => a.place - b.place)
      .map(({ value }) => value);
}
