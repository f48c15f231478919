import { slots } from './curve.ts';
import { Sketch, sketchWords } from './sketch.ts';

/** The events of an order that its shop's endpoint hears of. Claims are made for some orders only. */
export const heardEvents = [
  'ORDER_CREATED',
  'ORDER_PROCESSED',
  'ACCEPTED_BY_ORIGIN_OFFICE',
  'OUT_FOR_DELIVERY',
  'SUCCESSFULLY_DELIVERED',
  'created',
] as const;

export const claimEvent = heardEvents.length - 1;

const tokenLength = 22;

/** Single numbers that both threads see. */
const counters = [
  'slot',
  'deliveries',
  'repeats',
  'otherIds',
  'wrongSignatures',
  'unexpected',
  'registrations',
  'registrationRepeats',
] as const;
type Counter = (typeof counters)[number];

export interface BookMemory {
  orders: number;
  /** When the request was sent that causes the event, by the clock of the machine. */
  causedAt: SharedArrayBuffer;
  /** How often each event was heard of. */
  heard: SharedArrayBuffer;
  /** What is kept of the id with which it was heard of. */
  ids: SharedArrayBuffer;
  tokens: SharedArrayBuffer;
  registered: SharedArrayBuffer;
  counters: SharedArrayBuffer;
  deliveriesBySlot: SharedArrayBuffer;
  lags: SharedArrayBuffer;
}

export function newBookMemory(orders: number): BookMemory {
  const places = orders * heardEvents.length;
  return {
    orders,
    causedAt: new SharedArrayBuffer(places * 8),
    heard: new SharedArrayBuffer(places),
    ids: new SharedArrayBuffer(places * 4),
    tokens: new SharedArrayBuffer(orders * tokenLength),
    registered: new SharedArrayBuffer(orders),
    counters: new SharedArrayBuffer(counters.length * 4),
    deliveriesBySlot: new SharedArrayBuffer((slots + 1) * 4),
    lags: new SharedArrayBuffer((slots + 1) * sketchWords * 4),
  };
}

/** What the driver has caused and what the receiver has heard of, in memory that both threads see. It takes 104 bytes an order. */
export class Book {
  readonly memory: BookMemory;
  readonly orders: number;
  readonly #causedAt: Float64Array;
  readonly #heard: Uint8Array;
  readonly #ids: Uint32Array;
  readonly #tokens: Uint8Array;
  readonly #registered: Uint8Array;
  readonly #counters: Int32Array;
  readonly #deliveriesBySlot: Int32Array;

  constructor(memory: BookMemory) {
    this.memory = memory;
    this.orders = memory.orders;
    this.#causedAt = new Float64Array(memory.causedAt);
    this.#heard = new Uint8Array(memory.heard);
    this.#ids = new Uint32Array(memory.ids);
    this.#tokens = new Uint8Array(memory.tokens);
    this.#registered = new Uint8Array(memory.registered);
    this.#counters = new Int32Array(memory.counters);
    this.#deliveriesBySlot = new Int32Array(memory.deliveriesBySlot);
  }

  get(counter: Counter): number {
    return this.#counters[counters.indexOf(counter)]!;
  }

  set(counter: Counter, value: number): void {
    this.#counters[counters.indexOf(counter)] = value;
  }

  #count(counter: Counter): void {
    this.#counters[counters.indexOf(counter)]! += 1;
  }

  cause(order: number, event: number, at: number): void {
    this.#causedAt[order * heardEvents.length + event] ||= at;
  }

  hear(order: number, event: number, id: number, at: number): void {
    const place = order * heardEvents.length + event;
    const times = this.#heard[place]!;
    this.#heard[place] = Math.min(255, times + 1);
    this.#count('deliveries');
    const slot = this.get('slot');
    this.#deliveriesBySlot[slot]! += 1;
    if (times > 0) {
      this.#count(this.#ids[place] === id ? 'repeats' : 'otherIds');
      return;
    }
    this.#ids[place] = id;
    this.lagsOf(slot).add(at - this.#causedAt[place]!);
  }

  timesHeard(order: number, event: number): number {
    return this.#heard[order * heardEvents.length + event]!;
  }

  /** Different events, without repeats. */
  heardInAll(): number {
    return this.get('deliveries') - this.get('repeats') - this.get('otherIds');
  }

  deliveriesIn(slot: number): number {
    return this.#deliveriesBySlot[slot]!;
  }

  lagsOf(slot: number): Sketch {
    return new Sketch(new Uint32Array(this.memory.lags, slot * sketchWords * 4, sketchWords));
  }

  refuse(what: 'wrongSignatures' | 'unexpected'): void {
    this.#count(what);
  }

  register(order: number): void {
    this.#count(this.#registered[order] ? 'registrationRepeats' : 'registrations');
    this.#registered[order] = 1;
  }

  keepToken(order: number, token: string): void {
    for (let i = 0; i < tokenLength; i++) this.#tokens[order * tokenLength + i] = token.charCodeAt(i);
  }

  /** The last part of the address of the order's page, if a webhook has told it. */
  tokenOf(order: number): string | undefined {
    const from = order * tokenLength;
    if (this.#tokens[from] === 0) return undefined;
    return String.fromCharCode(...this.#tokens.subarray(from, from + tokenLength));
  }
}
