import { setInterval as every } from 'node:timers/promises';
import type { Book } from './book.ts';
import { slots } from './curve.ts';
import type { Driver } from './driver.ts';
import type { DayClient } from './http.ts';
import type { LiveMemory } from './live-memory.ts';
import type { Sample } from './run-stack.ts';
import { Sketch } from './sketch.ts';
import type { StackProcess } from './stack-process.ts';

/** What was measured in one half hour of the day, or after it. */
export interface Slot {
  seconds: number;
  orders: number;
  requests: number;
  deliveries: number;
  waits: Sketch;
  lags: Sketch;
  /** The last look at the stack. Undefined if the half hour was too short for one. */
  sample: Sample | undefined;
}

/** One look at the stack. */
export interface Look {
  /** In milliseconds, by a clock of its own. */
  at: number;
  /** Steps of orders that were done by then. */
  steps: number;
  sample: Sample;
  /** What the heaps held after a collection. Most looks do not collect. */
  live?: LiveMemory | undefined;
}

interface Begun {
  at: number;
  orders: number;
  requests: number;
}

const lookEveryMs = 1000;

/** In seconds: rates of a shorter time are not shown. */
export const shortest = 0.25;

/** Keeps what the day looks like while it is played. */
export class DayLog {
  readonly #slots: (Slot | undefined)[] = Array.from({ length: slots + 1 });
  readonly looks: Look[] = [];
  readonly #stack: StackProcess;
  readonly #book: Book;
  readonly #client: DayClient;
  readonly #driver: () => Driver;
  readonly #liveEvery: number;
  #now = -1;
  #begun: Begun = { at: 0, orders: 0, requests: 0 };
  #last: Sample | undefined;
  readonly #ended = new AbortController();

  /** @param liveEvery so many looks are from one that collects to the next */
  constructor(
    stack: StackProcess,
    book: Book,
    client: DayClient,
    driver: () => Driver,
    liveEvery = Number.POSITIVE_INFINITY,
  ) {
    this.#stack = stack;
    this.#book = book;
    this.#client = client;
    this.#driver = driver;
    this.#liveEvery = liveEvery;
    void this.#watch();
  }

  /** The half hour before it ends here. */
  begin(slot: number): void {
    this.#close();
    this.#now = slot;
    const { placed: orders } = this.#driver();
    this.#begun = { at: performance.now(), orders, requests: this.#client.requests };
    this.#client.recentWaits = new Sketch();
  }

  end(): Slot[] {
    this.#close();
    this.#ended.abort();
    const found = this.#slots.map((slot) => slot ?? emptySlot());
    return found.map((slot, i) => ({ ...slot, deliveries: this.#book.deliveriesIn(i), lags: this.#book.lagsOf(i) }));
  }

  #close(): void {
    if (this.#now < 0) return;
    const { at, orders, requests } = this.#begun;
    this.#slots[this.#now] = {
      ...emptySlot(),
      seconds: (performance.now() - at) / 1000,
      orders: this.#driver().placed - orders,
      requests: this.#client.requests - requests,
      waits: this.#client.recentWaits,
      sample: this.#last,
    };
    this.#now = -1;
  }

  /** Undefined if the stack ended meanwhile. */
  #live(): Promise<LiveMemory | undefined> {
    return this.#stack.ask('live').catch(() => undefined);
  }

  async #watch(): Promise<void> {
    try {
      for await (const _ of every(lookEveryMs, undefined, { signal: this.#ended.signal })) {
        // A stack that was killed meanwhile answers at the next look.
        this.#last = await this.#stack.ask('sample').catch(() => this.#last);
        if (!this.#last) continue;
        const live = (this.looks.length + 1) % this.#liveEvery === 0 ? await this.#live() : undefined;
        this.looks.push({ at: performance.now(), steps: this.#driver().done, sample: this.#last, live });
      }
    } catch (error) {
      if ((error as Error).name !== 'AbortError') throw error;
    }
  }
}

const emptySlot = (): Slot => ({
  seconds: 0,
  orders: 0,
  requests: 0,
  deliveries: 0,
  waits: new Sketch(),
  lags: new Sketch(),
  sample: undefined,
});

/** Several half hours as one. */
export function together(some: readonly Slot[]): Slot {
  const all = emptySlot();
  for (const { seconds, orders, requests, deliveries, waits, lags, sample } of some) {
    all.seconds += seconds;
    all.orders += orders;
    all.requests += requests;
    all.deliveries += deliveries;
    all.waits.addAll(waits);
    all.lags.addAll(lags);
    all.sample = sample ?? all.sample;
  }
  return all;
}
