import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { handler } from '#pipeline/counts/handler.ts';
import { table } from '#platform/table/client.ts';
import { changeKindOf } from '#schemas/catalogues/stream-kinds.ts';
import type { Random } from '#test/fuzz/random.ts';
import type { Change } from './made-world.ts';

/**
 * Hands the changes of a world to the function that counts, as Lambda does where everything goes wrong: in batches of any
 * size from several shards, with a function that dies before, between and after its transactions, whose answers are lost,
 * and batches that come again or twice at once. What is of one item stays in its order.
 */

/** Lambda takes so many records at once. */
const maxRecords = 500;
const shards = 3;

type Fault = 'none' | 'refused' | 'answer lost' | 'killed' | 'comes again' | 'twice at once';

const faults: readonly (readonly [Fault, number])[] = [
  ['none', 70],
  ['refused', 6],
  ['answer lost', 6],
  ['killed', 8],
  ['comes again', 5],
  ['twice at once', 5],
];

interface Shard {
  records: DynamoDBRecord[];
  /** A batch that did not end well comes again with all that it had. */
  owed: number;
}

export class UnreliableStream {
  /** How often each happened. */
  readonly happened = new Map<Fault, number>();
  records = 0;
  readonly #random: Random;
  readonly #shards: Shard[] = Array.from({ length: shards }, () => ({ records: [], owed: 0 }));
  readonly #transactions = new UnreliableTransactions();

  constructor(random: Random) {
    this.#random = random;
  }

  /** Takes what the filters of the stream let through. */
  async take(changes: readonly Change[]): Promise<void> {
    for (const change of changes) {
      if (!changeKindOf('counts', change.sk)) continue;
      const shard = this.#shards[shardOf(change.pk)]!;
      shard.records.push(recordOf(change, ++this.records));
      if (shard.records.length >= maxRecords) await this.#deliver(shard);
    }
  }

  /** Until everything is counted. */
  async catchUp(): Promise<void> {
    for (const shard of this.#shards) while (shard.records.length > 0) await this.#deliver(shard);
  }

  async end(): Promise<void> {
    await this.catchUp();
    this.#transactions.restore();
  }

  async #deliver(shard: Shard): Promise<void> {
    const size = Math.max(shard.owed, this.#random.chance(0.2) ? this.#random.between(1, maxRecords) : maxRecords);
    const Records = shard.records.slice(0, size);
    const fault = this.#random.weighted(faults);
    this.happened.set(fault, (this.happened.get(fault) ?? 0) + 1);
    const done = await this.#countWith(fault, Records);
    shard.records.splice(0, done);
    shard.owed = Records.length - done;
  }

  /** How many records need not come again. */
  async #countWith(fault: Fault, Records: DynamoDBRecord[]): Promise<number> {
    const event = { Records } as DynamoDBStreamEvent;
    const count = async () => {
      const { batchItemFailures } = await handler(event);
      const [first] = batchItemFailures;
      if (!first) return Records.length;
      return Records.findIndex(({ dynamodb }) => dynamodb!.SequenceNumber === first.itemIdentifier);
    };
    const last = this.#random.below(4);
    switch (fault) {
      case 'refused':
        return this.#transactions.fail({ after: last, isWritten: false, isForEver: false }, count);
      case 'answer lost':
        return this.#transactions.fail({ after: last, isWritten: true, isForEver: false }, count);
      case 'killed': {
        const isWritten = this.#random.chance(0.5);
        const done = await this.#transactions.fail({ after: last, isWritten, isForEver: true }, count);
        // Lambda does not hear what it answered.
        return done === Records.length ? done : 0;
      }
      case 'comes again':
        await count();
        return count();
      case 'twice at once':
        return Math.min(...(await Promise.all([count(), count()])));
      default:
        return count();
    }
  }
}

/** By the first digits of what is random in ids of orders, so that all of an order is in one shard. */
function shardOf(pk: string): number {
  let sum = 0;
  for (const letter of pk) sum = (sum * 31 + letter.charCodeAt(0)) % 65_521;
  return sum % shards;
}

function recordOf({ pk, sk, before, after, at }: Change, number: number): DynamoDBRecord {
  return {
    eventID: `event-${number}`,
    eventName: before ? (after ? 'MODIFY' : 'REMOVE') : 'INSERT',
    dynamodb: {
      Keys: { pk: { S: pk }, sk: { S: sk } },
      SequenceNumber: String(number).padStart(12, '0'),
      ApproximateCreationDateTime: Math.floor(at.getTime() / 1000),
      ...(before && { OldImage: before }),
      ...(after && { NewImage: after }),
    },
  } as DynamoDBRecord;
}

interface Failure {
  /** After so many transactions that succeed. */
  after: number;
  /** Whether the one that fails was written. */
  isWritten: boolean;
  /** Whether all that follow fail, too. */
  isForEver: boolean;
}

/** The transactions of the functions, some of which fail. */
class UnreliableTransactions {
  readonly #send = table.send;
  #failure: Failure | undefined;

  constructor() {
    const send = this.#send.bind(table) as (command: object) => Promise<unknown>;
    table.send = (async (command: object) => {
      const isFailing = command instanceof TransactWriteCommand && this.#isNext();
      if (!isFailing) return send(command);
      if (isFailing.isWritten) await send(command);
      throw Object.assign(new Error('The connection is lost.'), { name: 'TimeoutError' });
    }) as never;
  }

  async fail<T>(failure: Failure, act: () => Promise<T>): Promise<T> {
    this.#failure = { ...failure };
    const result = await act();
    this.#failure = undefined;
    return result;
  }

  restore(): void {
    table.send = this.#send;
  }

  #isNext(): Failure | undefined {
    const failure = this.#failure;
    if (!failure || failure.after-- > 0) return undefined;
    if (!failure.isForEver) this.#failure = undefined;
    return failure.isForEver ? { ...failure, isWritten: failure.isWritten && failure.after === -1 } : failure;
  }
}
