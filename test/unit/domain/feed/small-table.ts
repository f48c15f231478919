import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { parseCondition } from '#lib/local/dynamodb/expressions/conditions.ts';
import { holds } from '#lib/local/dynamodb/expressions/evaluate.ts';
import { References } from '#lib/local/dynamodb/expressions/references.ts';
import { applyUpdate } from '#lib/local/dynamodb/expressions/update.ts';
import { parseUpdate } from '#lib/local/dynamodb/expressions/update-parser.ts';
import { type AttributeMap, copyMap, emptyMap } from '#lib/local/dynamodb/values.ts';
import type { Key } from '#platform/table/reads.ts';

/** A write as the client of the functions sends it, alone or in a transaction. */
export interface Write {
  Key?: object;
  Item?: object;
  UpdateExpression?: string | undefined;
  ConditionExpression?: string | undefined;
  ExpressionAttributeValues?: Record<string, unknown> | undefined;
  ReturnValues?: string | undefined;
}

export type TransactItems = NonNullable<TransactWriteCommandInput['TransactItems']>;

export interface KeyRange {
  partition: string;
  from: string;
  to: string;
}

type Item = Record<string, unknown>;

/**
 * The part of DynamoDB that the feed uses, with the expressions of the engine, but a hundred times faster: a test that tries
 * thousands of orders of requests needs that.
 */
export class SmallTable {
  readonly #partitions = new Map<string, Map<string, AttributeMap>>();

  read(key: Key): Item | undefined {
    return toItem(this.#stored(key));
  }

  /** The first items of a range whose sort keys follow a position, or the last items. */
  first({ partition, from, to }: KeyRange): Item | undefined {
    return toItem(this.#items(partition).get(this.#keysIn({ partition, from, to }).at(0)!));
  }

  last(range: KeyRange): Item | undefined {
    return toItem(this.#items(range.partition).get(this.#keysIn(range).at(-1)!));
  }

  /** All items whose partition keys begin so. */
  all(prefix: string): Item[] {
    const found = [...this.#partitions].filter(([pk]) => pk.startsWith(prefix));
    return found.flatMap(([, items]) => [...items.values()].map((item) => toItem(item)!));
  }

  remove({ pk, sk }: Key): void {
    this.#items(pk).delete(sk);
  }

  /** Puts an item if the write has one, else updates it. @returns what the write asks for */
  write(write: Write): object {
    const key = keyIn(write);
    this.#check(write, key);
    const next = this.#next(write, key);
    this.#items(key.pk).set(key.sk, next);
    return write.ReturnValues === 'UPDATED_NEW' ? { Attributes: toItem(next) } : {};
  }

  transact(items: TransactItems): object {
    const codes = items.map((item) => this.#codeOf(Object.values(item)[0] as Write));
    if (codes.includes('ConditionalCheckFailed')) {
      const CancellationReasons = codes.map((Code) => ({ Code }));
      throw Object.assign(new Error(), { name: 'TransactionCanceledException', CancellationReasons });
    }
    for (const { Put, Update } of items) if (Put || Update) this.write((Put ?? Update) as Write);
    return {};
  }

  #codeOf(write: Write): string {
    try {
      this.#check(write, keyIn(write));
      return 'None';
    } catch {
      return 'ConditionalCheckFailed';
    }
  }

  #check({ ConditionExpression, ExpressionAttributeValues }: Write, key: Key): void {
    if (ConditionExpression === undefined) return;
    const condition = parseCondition(ConditionExpression, 'ConditionExpression', references(ExpressionAttributeValues));
    if (holds(condition, this.#stored(key) ?? emptyMap())) return;
    throw Object.assign(new Error(), { name: 'ConditionalCheckFailedException' });
  }

  #next({ Item, UpdateExpression, ExpressionAttributeValues }: Write, key: Key): AttributeMap {
    if (Item) return wire(Item);
    const before = this.#stored(key) ?? wire(key);
    return applyUpdate(before, parseUpdate(UpdateExpression!, references(ExpressionAttributeValues)));
  }

  #stored({ pk, sk }: Key): AttributeMap | undefined {
    return this.#partitions.get(pk)?.get(sk);
  }

  #items(pk: string): Map<string, AttributeMap> {
    const items = this.#partitions.get(pk) ?? new Map<string, AttributeMap>();
    this.#partitions.set(pk, items);
    return items;
  }

  #keysIn({ partition, from, to }: KeyRange): string[] {
    return [...this.#items(partition).keys()].filter((sk) => sk >= from && sk <= to).sort();
  }
}

const keyIn = ({ Item, Key }: Write): Key => (Item ?? Key) as Key;

/** An item is written once and read often. */
const unpacked = new WeakMap<AttributeMap, Item>();

function toItem(stored: AttributeMap | undefined): Item | undefined {
  if (!stored) return undefined;
  const item = unpacked.get(stored) ?? unmarshall(withBytes(stored, toBytes) as never);
  unpacked.set(stored, item);
  return item;
}

const wire = (item: object): AttributeMap =>
  copyMap(withBytes(marshall(item, { removeUndefinedValues: true }), toText) as AttributeMap);

const references = (values: Record<string, unknown> | undefined) => new References(undefined, values && wire(values));

/** The engine has bytes as texts, as they are sent. */
const toText = (bytes: unknown) => Buffer.from(bytes as Uint8Array).toString('base64');
const toBytes = (text: unknown) => new Uint8Array(Buffer.from(text as string, 'base64'));

function withBytes(map: object, convert: (bytes: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, converted(value, convert)]));
}

function converted(value: Record<string, unknown>, convert: (bytes: unknown) => unknown): object {
  if ('B' in value) return { B: convert(value.B) };
  if ('L' in value) return { L: (value.L as Record<string, unknown>[]).map((one) => converted(one, convert)) };
  return value;
}
