import {
  BatchGetCommand,
  type BatchGetCommandInput,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Key } from '#platform/table/reads.ts';
import type { Random } from '#test/fuzz/random.ts';
import { type KeyRange, SmallTable, type TransactItems, type Write } from './small-table.ts';

/** Who sends requests: one run of a function. Each has its own clock. */
export interface Actor {
  name: string;
  clock: () => number;
  /** Whether its requests may be lost, repeated, answered late, or its last. */
  isUnsteady: boolean;
  isDead: boolean;
}

/** Changes requests or answers, so that a rule of the feed is broken. */
export interface Lies {
  write?: (write: Write, actor: Actor, table: SmallTable) => Write | 'leave out';
  item?: (item: object | undefined, key: Key, actor: Actor) => object | undefined;
  /** A block that a reader reads, and the last one, which a writer reads. */
  block?: (block: Blocked) => Blocked;
  lastBlock?: (block: Blocked) => Blocked;
}

type Blocked = Record<string, unknown> & { entries?: Uint8Array[] };

type Steps = Generator<void, object>;

interface Happening {
  at: number;
  /** Of two at the same time, the first is first. */
  number: number;
  actor: Actor;
  happen: () => void;
}

/**
 * A table, the network before it and the clocks around it. Nothing happens by itself: `run` takes the next request or answer,
 * and only the seed decides which that is. A request takes some milliseconds, or a minute, or an hour. What DynamoDB does in
 * several steps has several here: a query and a batch are no snapshot.
 */
export class UnsteadyTable {
  readonly table = new SmallTable();
  now: number;
  readonly #random: Random;
  readonly #lies: Lies;
  #happenings: Happening[] = [];
  #number = 0;
  #actor: Actor | undefined;

  constructor(random: Random, now: number, lies: Lies = {}) {
    this.#random = random;
    this.now = now;
    this.#lies = lies;
  }

  /** Until nothing more happens. */
  async run(): Promise<void> {
    for (let next = this.#takeNext(); next; next = this.#takeNext()) {
      this.now = Math.max(this.now, next.at);
      this.#actor = next.actor;
      next.happen();
      await new Promise(setImmediate);
    }
  }

  /** Lets an actor begin after a time. */
  begin(actor: Actor, afterMs: number, act: () => void): void {
    this.#add(actor, afterMs, act);
  }

  /** What the functions do between two tries. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.#add(this.#actor!, Math.ceil(ms), resolve));
  }

  /** Takes the place of the client's function. */
  send(command: object): Promise<object> {
    const actor = this.#actor!;
    return new Promise((resolve, reject) => {
      const fault = actor.isUnsteady ? this.#random.weighted(faults) : 'none';
      if (fault === 'killed before') return this.#kill(actor);
      const work = this.#stepsOf(command, actor, fault === 'repeated' && !(command instanceof TransactWriteCommand));
      const take = () => {
        const step = attempt(() => work.next());
        if ('value' in step && !step.value.done) return this.#add(actor, this.#latency(), take);
        if (fault === 'killed after') return this.#kill(actor);
        this.#add(actor, this.#stall(actor), () => {
          if (fault === 'lost') reject(Object.assign(new Error('No answer.'), { name: 'TimeoutError' }));
          else if ('error' in step) reject(step.error);
          else resolve(step.value.value as object);
        });
      };
      this.#add(actor, this.#stall(actor), take);
    });
  }

  *#stepsOf(command: object, actor: Actor, isRepeated: boolean): Steps {
    if (command instanceof BatchGetCommand) return yield* this.#get(command.input, actor);
    if (command instanceof QueryCommand) return yield* this.#query(command.input);
    const write = () => this.#write(command, actor);
    if (isRepeated) {
      attempt(write);
      yield;
    }
    return write();
  }

  #write(command: object, actor: Actor): object {
    if (command instanceof TransactWriteCommand) {
      const items = command.input.TransactItems as TransactItems;
      return this.table.transact(
        items.map((item) => {
          if (!item.Put) return item;
          const Put = this.#lie(item.Put as Write, actor);
          return Put === 'leave out' ? {} : ({ Put } as typeof item);
        }),
      );
    }
    if (!(command instanceof PutCommand) && !(command instanceof UpdateCommand)) throw new Error('no such request');
    const write = this.#lie(command.input as Write, actor);
    return write === 'leave out' ? {} : this.table.write(write);
  }

  #lie(write: Write, actor: Actor): Write | 'leave out' {
    return this.#lies.write?.(write, actor, this.table) ?? write;
  }

  *#get({ RequestItems }: BatchGetCommandInput, actor: Actor): Steps {
    const [[name, { Keys }]] = Object.entries(RequestItems!) as [[string, { Keys: Key[] }]];
    if (new Set(Keys.map(({ pk }) => pk)).size < Keys.length) throw new Error('DynamoDB takes a key only once.');
    const found: object[] = [];
    const turn = this.#random.below(Keys.length + 1);
    for (const [i, key] of Keys.entries()) {
      if (i === turn && i > 0) yield;
      const stored = this.table.read(key);
      const item = this.#lies.item ? this.#lies.item(stored, key, actor) : stored;
      if (item) found.push(item);
    }
    return { Responses: { [name]: found } };
  }

  *#query({ ExpressionAttributeValues, Limit = 100, ScanIndexForward, ExclusiveStartKey }: QueryCommandInput): Steps {
    const range = rangeOf(ExpressionAttributeValues!);
    if (ScanIndexForward === false) {
      const last = this.table.last(range);
      return { Items: last ? [this.#lies.lastBlock?.(last) ?? last] : [] };
    }
    const Items: object[] = [];
    let from = ExclusiveStartKey ? `${ExclusiveStartKey.sk} ` : range.from;
    while (Items.length < Limit) {
      const item = this.table.first({ ...range, from });
      if (item) {
        Items.push(this.#lies.block?.(item) ?? item);
        from = `${item.sk} `;
      } else if (this.#random.chance(0.7)) {
        return { Items };
      } else {
        // It has looked where the next ones will be, and goes on behind that.
        from = `${later(from, this.#random.between(1, 2))} `;
      }
      yield;
    }
    const { pk, sk } = Items.at(-1) as Key;
    return { Items, LastEvaluatedKey: { pk, sk } };
  }

  #kill(actor: Actor): void {
    actor.isDead = true;
  }

  #latency(): number {
    return this.#random.between(1, 12);
  }

  #stall(actor: Actor): number {
    return actor.isUnsteady ? this.#random.weighted(stalls) + this.#latency() : this.#latency();
  }

  #add(actor: Actor, afterMs: number, happen: () => void): void {
    this.#happenings.push({ at: this.now + afterMs, number: this.#number++, actor, happen });
  }

  #takeNext(): Happening | undefined {
    let position = -1;
    let next: Happening | undefined;
    for (const [i, one] of this.#happenings.entries()) {
      if (one.actor.isDead || (next && (one.at > next.at || (one.at === next.at && one.number > next.number))))
        continue;
      next = one;
      position = i;
    }
    if (next) this.#happenings[position] = this.#happenings.at(-1)!;
    this.#happenings.pop();
    return next;
  }
}

const faults = [
  ['none', 900],
  ['repeated', 40],
  ['lost', 20],
  ['killed before', 20],
  ['killed after', 20],
] as const;

/** In milliseconds, before a request arrives and before its answer does. */
const stalls = [
  [0, 940],
  [300, 30],
  [6_000, 20],
  [60_000, 8],
  [3_600_000, 2],
] as const;

function attempt<T>(act: () => T): { value: T } | { error: unknown } {
  try {
    return { value: act() };
  } catch (error) {
    return { error };
  }
}

function rangeOf(values: Record<string, string>): KeyRange {
  const { ':partition': partition, ':prefix': prefix, ':from': from, ':to': to } = values;
  return { partition: partition!, from: from ?? prefix!, to: to ?? `${prefix}~` };
}

/** The sort key of a block whose number is higher by so many. */
function later(sk: string, by: number): string {
  const [prefix, number] = [sk.slice(0, sk.lastIndexOf('#') + 1), sk.slice(sk.lastIndexOf('#') + 1).trim()];
  return prefix + String(Number(number) + by).padStart(number.length, '0');
}
