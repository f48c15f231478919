import { setTimeout as sleep } from 'node:timers/promises';
import pMap from 'p-map';
import { ApiError, type Client } from '#schemas/client/index.ts';
import { currentSecret } from './endpoint-secret.ts';
import { isTried, type LoggedDelivery, requestOf, runOf } from './logged-delivery.ts';
import { type BackOff, patiently, usualBackOff, waitMs } from './patience.ts';
import type { Outcome, Outgoing, Post } from './post.ts';
import type { Report } from './report.ts';

export interface Reading {
  client: Client<'slug'>;
  /** The uuid of the endpoint. */
  uuid: string;
  post: Post;
  report: Report;
  signal: AbortSignal;
  /** How long it waits between two looks at the list. */
  intervalMs?: number;
  /** How often everything is read again, for what came later than usual and for old deliveries that were sent again. */
  sweepMs?: number;
  backOff?: BackOff;
}

/** How many requests are on their way to the receiver at the same time. */
const concurrency = 4;

const minute = 60_000;

/** The list is sorted by the times of the events, and a busy service may add a delivery behind others. */
const usualLatenessMs = 5 * minute;

/** How far back everything is read again: the time before the start, and the longest time that is kept in mind. */
const beforeStartMs = 60 * minute;
const longestMs = 24 * 60 * minute;

/** How long a delivery that the service has not tried yet is left to it. */
const untriedMs = 3000;

/** Whoever removes a simulation also removes its deliveries. */
function undefinedIfGone(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.key !== 'webhook_delivery_not_found') throw error;
}

/**
 * Posts what the service sends to an endpoint from now on, as often as the service sends it. A delivery is kept in mind
 * only after it was posted, so a lost connection loses none, and what is kept in mind is not posted again.
 */
export class DeliveryReader {
  readonly #options: Reading;
  /** Runs that were posted or began before the start, and when their deliveries were created. */
  readonly #known = new Map<string, number>();
  /** Runs that the service has not tried yet, and when they were first seen. */
  readonly #untried = new Map<string, number>();
  readonly #began = Date.now();
  #newest = 0;
  #sweptAt = 0;
  #perPage = 100;
  #secret = '';

  constructor(options: Reading) {
    this.#options = options;
  }

  /** Takes what is there already for known. */
  async start(): Promise<void> {
    this.#secret = await this.#currentSecret();
    for (const delivery of await this.#unknown(this.#sweepStart(), true)) this.#remember(delivery);
    this.#sweptAt = Date.now();
  }

  /** Ends when the signal does. */
  async run(): Promise<void> {
    const { signal, intervalMs = 1000 } = this.#options;
    while (!signal.aborted) {
      const count = await this.#look();
      if (count === 0) await sleep(intervalMs, undefined, { signal }).catch(() => {});
    }
  }

  /** How many deliveries were posted. */
  async #look(): Promise<number> {
    const isSweep = Date.now() - this.#sweptAt >= (this.#options.sweepMs ?? minute);
    const start = this.#sweepStart();
    const since = isSweep ? start : Math.max(start, this.#newest - usualLatenessMs);
    const found = (await this.#unknown(since, isSweep)).filter((delivery) => this.#isDue(delivery));
    if (isSweep) this.#swept();
    if (found.length === 0) return 0;
    this.#secret = await this.#patiently(() => this.#currentSecret());
    await pMap(found.reverse(), (delivery) => this.#forward(delivery), { concurrency });
    return found.length;
  }

  #sweepStart(): number {
    return Math.max(this.#began - beforeStartMs, Date.now() - longestMs);
  }

  #swept(): void {
    this.#sweptAt = Date.now();
    const start = this.#sweepStart() - minute;
    for (const [run, createdAt] of this.#known) if (createdAt < start) this.#known.delete(run);
  }

  /** Deliveries that are not known, newest first. Unless it reads all, it ends at a page on which it knows everything. */
  async #unknown(since: number, readsAll: boolean): Promise<LoggedDelivery[]> {
    const found = new Map<string, LoggedDelivery>();
    // Minutes, because each `since` is a list of its own to the service.
    const query = { since: new Date(Math.floor(since / minute) * minute).toISOString() };
    for (let page = 1; ; page++) {
      const deliveries = await this.#page({ ...query, page });
      if (!deliveries) return this.#unknown(since, readsAll);
      const before = found.size;
      for (const delivery of deliveries) {
        this.#newest = Math.max(this.#newest, Date.parse(delivery.created_at));
        if (!this.#known.has(runOf(delivery)) && delivery.status !== 'cancelled') found.set(runOf(delivery), delivery);
      }
      const isEnd = deliveries.length < this.#perPage || (!readsAll && found.size === before);
      if (isEnd) return [...found.values()];
    }
  }

  /** Undefined if so many deliveries are too large for one answer: then the pages become smaller. */
  async #page(query: { since: string; page: number }): Promise<LoggedDelivery[] | undefined> {
    const { client, uuid, signal } = this.#options;
    const read = { params: { uuid }, query: { ...query, per_page: this.#perPage }, signal };
    try {
      return await this.#patiently(() => client.listWebhookDeliveries(read));
    } catch (error) {
      const isTooLarge = error instanceof ApiError && (error.status === 413 || error.status === 422);
      if (!isTooLarge || this.#perPage === 1) throw error;
      this.#perPage = Math.ceil(this.#perPage / 4);
      return undefined;
    }
  }

  /** The service tries at once, and then the log says how it signed. It does not try while the endpoint seems to be down. */
  #isDue(delivery: LoggedDelivery): boolean {
    const run = runOf(delivery);
    if (isTried(delivery)) return true;
    const seenAt = this.#untried.get(run) ?? Date.now();
    this.#untried.set(run, seenAt);
    return Date.now() - seenAt >= untriedMs;
  }

  async #forward(delivery: LoggedDelivery): Promise<void> {
    const { client, uuid, report, signal } = this.#options;
    const { id, ref, sent_again_at } = delivery;
    const read = { params: { uuid, delivery_id: id }, signal };
    const details = await this.#patiently(() => client.getWebhookDelivery(read)).catch(undefinedIfGone);
    const request = details && (await requestOf(details, this.#secret, new Date()));
    if (!request) report.say(`${ref} ${id} is ${details ? 'too large to be read' : 'no longer in the log'}.`);
    else {
      const outcome = await this.#posted(request);
      report.posted({ ref, id, outcome, note: sent_again_at ? 'sent again' : undefined });
    }
    this.#remember(delivery);
  }

  /** A receiver that does not run gets the request when it does. */
  async #posted(request: Outgoing): Promise<Outcome> {
    const { post, report, signal, backOff = usualBackOff } = this.#options;
    for (let failures = 0; ; failures++) {
      const outcome = await post(request);
      if (!('failure' in outcome) || outcome.failure !== 'unreachable') return outcome;
      report.sayOnce('The receiver does not answer. Trying again …');
      await sleep(waitMs(failures, backOff), undefined, { signal });
    }
  }

  #remember(delivery: LoggedDelivery): void {
    this.#known.set(runOf(delivery), Date.parse(delivery.created_at));
    this.#untried.delete(runOf(delivery));
  }

  #currentSecret(): Promise<string> {
    const { client, uuid, signal } = this.#options;
    return currentSecret(client, uuid, signal);
  }

  #patiently<T>(work: () => Promise<T>): Promise<T> {
    const { report, signal, backOff } = this.#options;
    return patiently(work, { report, signal, backOff });
  }
}
