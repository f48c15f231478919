import { setTimeout as pause } from 'node:timers/promises';
import { type Book, claimEvent } from './book.ts';
import { dayMs, evenTimes, hourMs, placedTimes, slotOf } from './curve.ts';
import type { Deeds } from './deeds.ts';
import { type Due, Heap } from './heap.ts';
import type { DayAnswer, DayClient, DayRequest } from './http.ts';
import { orderNumberOf } from './names.ts';
import { planOf, type Step, stepsOf } from './plan.ts';
import { claiming, fulfilling, listing, placing, reporting, searching, viewing } from './shop.ts';

export interface DriverOptions {
  orders: number;
  seed: number;
  /** How many times faster than the clock. Undefined: as fast as the stack takes it. */
  factor: number | undefined;
  /** Whether orders come evenly, and each goes its way ten times as fast, so that all of the day is like its middle. */
  isEven: boolean;
  concurrency: number;
  /** How long the address of a page may be on its way. After that it is lost, and its page is not viewed. */
  lostAfterMs: number;
  /** As often the stack is killed. */
  kills: number;
  /** @param at the time of the day, in milliseconds */
  kill(at: number): Promise<void>;
  /** Called once in each half hour, when it begins. */
  onSlot(slot: number): void;
}

/** At full speed nothing is sent while more webhooks than this are to come: what is queued for later is not taken yet. */
const mostWebhooksToCome = 3000;
/** How long to wait for what nobody announces: a webhook with the address of a page, or a shorter queue. */
const lookAgainMs = 20;
/** At full speed the clock of the day does not run ahead of a page whose address is still to come, but not for ever. */
const mostAhead = { dayMs: hourMs / 2, waitedMs: 10_000 };

/** Plays the day: each order goes through its steps, one after the other, beside all others. */
export class Driver {
  /** What was not answered as it must be. */
  readonly faults: string[] = [];
  /** Events that acknowledged requests have caused. */
  caused = 0;
  placed = 0;
  done = 0;
  readonly #options: DriverOptions;
  readonly #client: DayClient;
  readonly #book: Book;
  readonly #deeds: Deeds;
  readonly #times: Float64Array;
  readonly #later = new Heap();
  /** Orders whose page cannot be viewed yet: since when, and when it is due. */
  readonly #waiting = new Map<number, { since: number; at: number }>();
  /** Orders whose page has no address, as far as anybody was told. */
  readonly #lost = new Set<number>();
  readonly #since = new Date(Date.now() - 60_000).toISOString();
  #nextOrder = 0;
  #inFlight = 0;
  #slot = -1;
  #killed = 0;
  #wake: () => void = () => {};

  constructor(options: DriverOptions, client: DayClient, book: Book, deeds: Deeds) {
    this.#options = options;
    this.#client = client;
    this.#book = book;
    this.#deeds = deeds;
    this.#times = options.isEven ? evenTimes(options.orders) : placedTimes(options.orders, options.seed);
  }

  async play(): Promise<void> {
    const { orders, concurrency, factor, kills } = this.#options;
    const all = stepsOf(orders);
    const began = Date.now();
    while (this.done < all) {
      if (this.#killed < kills && this.done >= (all * (this.#killed + 1)) / (kills + 1))
        await this.#kill(this.#peek()?.at ?? dayMs);
      const due = this.#peek();
      if (due === undefined || this.#inFlight >= concurrency) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      } else if (factor !== undefined && Date.now() - began < due.at / factor) {
        await pause(Math.min(1000, Math.max(1, due.at / factor - (Date.now() - began))));
      } else if (factor === undefined && this.#isAhead(due)) {
        await pause(lookAgainMs);
      } else {
        this.#take();
        this.#enter(slotOf(due.at));
        this.#inFlight += 1;
        void this.#run(due);
      }
    }
  }

  #isAhead({ at }: Due): boolean {
    if (this.caused - this.#book.heardInAll() > mostWebhooksToCome) return true;
    for (const { since, at: dueAt } of this.#waiting.values()) {
      if (at - dueAt > mostAhead.dayMs && Date.now() - since < mostAhead.waitedMs) return true;
    }
    return false;
  }

  #enter(slot: number): void {
    // What waited for a webhook is of an earlier one.
    if (slot <= this.#slot) return;
    this.#slot = slot;
    this.#book.set('slot', slot);
    this.#options.onSlot(slot);
  }

  async #kill(at: number): Promise<void> {
    this.#killed += 1;
    const back = this.#options.kill(at);
    this.#client.awayUntil(back);
    await back;
  }

  #peek(): Due | undefined {
    const later = this.#later.peek();
    const at = this.#times[this.#nextOrder];
    if (at === undefined || (later !== undefined && later.at <= at)) return later;
    return { at, order: this.#nextOrder, next: 0 };
  }

  /** What was seen last. */
  #take(): void {
    const later = this.#later.peek();
    const at = this.#times[this.#nextOrder];
    if (at === undefined || (later !== undefined && later.at <= at)) this.#later.pop();
    else this.#nextOrder += 1;
  }

  async #run(due: Due): Promise<void> {
    const { order, next } = due;
    const { seed, isEven } = this.#options;
    const plan = planOf(order, this.#times[order]!, seed, isEven ? 0.1 : 1);
    const { step } = plan[next]!;
    const isDone = await this.#perform(step, order);
    this.#inFlight -= 1;
    if (!isDone && !this.#isLost(order)) {
      if (!this.#waiting.has(order)) this.#waiting.set(order, { since: Date.now(), at: due.at });
      setTimeout(() => {
        this.#later.push(due);
        this.#wake();
      }, lookAgainMs);
      return;
    }
    this.#waiting.delete(order);
    if (!isDone) {
      this.#lost.add(order);
      this.#fault(`the address of the page of ${orderNumberOf(order)} did not come`);
    }
    this.done += 1;
    const following = plan[next + 1];
    if (following) this.#later.push({ at: following.at, order, next: next + 1 });
    this.#wake();
  }

  #isLost(order: number): boolean {
    const { since = Date.now() } = this.#waiting.get(order) ?? {};
    return this.#lost.has(order) || Date.now() - since > this.#options.lostAfterMs;
  }

  /** False if it cannot be done yet. */
  async #perform(step: Step, order: number): Promise<boolean> {
    const kind = step.split(' ')[0]!;
    const number = Number(step.split(' ')[1] ?? 0) - 1;
    if (kind === 'view') return this.#view(order);
    const now = Date.now();
    if (kind === 'place') {
      this.#book.cause(order, 0, now);
      await this.#send(placing(order, new Date(now).toISOString()));
      this.#deeds.placed[order] = 1;
      this.placed += 1;
    } else if (kind === 'fulfil') {
      this.#book.cause(order, 1, now);
      await this.#send(fulfilling(order));
      this.#deeds.fulfilled[order] = 1;
    } else if (kind === 'carrier') {
      this.#book.cause(order, 2 + number, now);
      const times = this.#deeds.scan(order, number, now);
      await this.#send(reporting(order, times, times[0]! + dayMs));
      this.#deeds.scans[order] = number + 1;
    } else if (kind === 'claim') {
      this.#book.cause(order, claimEvent, now);
      await this.#send({ ...claiming(order), wasDone: () => this.#hasClaim(order) });
      this.#deeds.claimed[order] = 1;
    } else return this.#search(order);
    this.caused += 1;
    return true;
  }

  /** As a shop does it that got no answer to a request that makes something new each time. */
  async #hasClaim(order: number): Promise<boolean> {
    const [found] = parsed<{ uuid: string }[]>(
      await this.#client.send(listing('/orders', { order_number: orderNumberOf(order) })),
    );
    const { claims } = parsed<{ claims: unknown[] }>(
      await this.#client.send(listing('/claims', { order_id: found!.uuid })),
    );
    return claims.length > 0;
  }

  async #view(order: number): Promise<boolean> {
    const token = this.#book.tokenOf(order);
    if (token === undefined) return false;
    const from = Date.now();
    const { text } = await this.#send(viewing(token));
    this.#deeds.view(order, from, Date.now());
    if (!text.includes('</html>')) this.#fault(`the page of ${orderNumberOf(order)} is not whole`);
    return true;
  }

  async #search(order: number): Promise<boolean> {
    const request = searching(order, this.#since);
    const { text } = await this.#send(request);
    if (request.operation === 'search orders' && !text.includes(`"order_number":"${orderNumberOf(order)}"`)) {
      this.#fault(`a search did not find ${orderNumberOf(order)}`);
    }
    return true;
  }

  async #send(request: DayRequest): Promise<DayAnswer> {
    const answer = await this.#client.send(request);
    if (answer.status !== 200) this.#fault(`${request.operation}: ${answer.status} ${answer.text.slice(0, 300)}`);
    return answer;
  }

  #fault(text: string): void {
    if (this.faults.length < 50) this.faults.push(text);
  }
}

const parsed = <T>({ text }: DayAnswer): T => JSON.parse(text) as T;
